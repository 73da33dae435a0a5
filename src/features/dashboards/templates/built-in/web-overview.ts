import type { Template } from '../template.ts'
import { layOut } from './lay-out.ts'
import { pageviews, queryTile, trend } from './queries.ts'

const FROM = '-30d'

const total = (math: string) =>
  trend({ from: FROM, display: 'BoldNumber', compare: true, series: [pageviews(math)] })

const visitorsBy = (breakdown: string, display = 'ActionsBarValue') =>
  trend({ from: FROM, display, breakdown })

export const webOverview: Template = {
  name: 'Web overview',
  description: 'Visitors, their sources and the pages they view.',
  filters: { date_from: FROM },
  tags: ['marketing'],
  tiles: layOut([
    {
      name: 'Visitors',
      description: 'Compared with the previous 30 days.',
      color: 'blue',
      w: 4,
      query: total('dau'),
    },
    {
      name: 'Page views',
      description: 'Compared with the previous 30 days.',
      color: 'green',
      w: 4,
      query: total('total'),
    },
    {
      name: 'Sessions',
      description: 'Compared with the previous 30 days.',
      color: 'purple',
      w: 4,
      query: total('unique_session'),
    },
    {
      name: 'Visitors, sessions and page views per day',
      description: 'The last 30 days.',
      w: 12,
      query: trend({
        from: FROM,
        series: [
          pageviews('dau', { custom_name: 'Visitors' }),
          pageviews('unique_session', { custom_name: 'Sessions' }),
          pageviews('total', { custom_name: 'Page views' }),
        ],
      }),
    },
    {
      name: 'Top pages',
      description: 'Pages by views.',
      h: 7,
      query: trend({
        from: FROM,
        display: 'ActionsBarValue',
        breakdown: '$pathname',
        series: [pageviews()],
      }),
    },
    {
      name: 'Referrers',
      description: 'Visitors by referring domain.',
      h: 7,
      query: visitorsBy('$referring_domain'),
    },
    {
      name: 'Countries',
      description: 'Visitors by country.',
      h: 7,
      query: visitorsBy('$geoip_country_code', 'ActionsBarValue'),
    },
    {
      name: 'Devices',
      description: 'Visitors by device type.',
      h: 7,
      query: visitorsBy('$device_type', 'ActionsPie'),
    },
    {
      name: 'Paths through the site',
      description: 'The pages on which visitors enter, and the pages they view next.',
      w: 12,
      h: 9,
      query: queryTile({
        kind: 'PathsQuery',
        dateRange: { date_from: FROM },
        pathsFilter: { includeEventTypes: ['$pageview'], stepLimit: 4, edgeLimit: 40 },
      }),
    },
  ]),
}
