import type { Template } from '../template.ts'
import { layOut } from './lay-out.ts'
import { insight, pageviews, trend } from './queries.ts'

const FROM = '-30d'

const total = (math: string) =>
  trend({ from: FROM, display: 'BoldNumber', compare: true, series: [pageviews(math)] })

const visitorsBy = (breakdown: string, display = 'ActionsBarValue') =>
  trend({ from: FROM, display, breakdown })

export const webOverview: Template = {
  name: 'Web overview',
  description: 'Who comes to the site, from where, and what they look at.',
  filters: { date_from: FROM },
  tags: ['marketing'],
  tiles: layOut([
    {
      name: 'Visitors',
      description: 'Beside the 30 days before.',
      color: 'blue',
      w: 4,
      query: total('dau'),
    },
    {
      name: 'Page views',
      description: 'Beside the 30 days before.',
      color: 'green',
      w: 4,
      query: total('total'),
    },
    {
      name: 'Sessions',
      description: 'Beside the 30 days before.',
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
      description: 'By how often they are looked at.',
      h: 7,
      query: trend({
        ...{ from: FROM, display: 'ActionsBarValue', breakdown: '$pathname' },
        series: [pageviews()],
      }),
    },
    {
      name: 'Referrers',
      description: 'Where visitors come from.',
      h: 7,
      query: visitorsBy('$referring_domain'),
    },
    {
      name: 'Countries',
      description: 'Where visitors are.',
      h: 7,
      query: visitorsBy('$geoip_country_code', 'WorldMap'),
    },
    {
      name: 'Devices',
      description: 'What visitors look at it with.',
      h: 7,
      query: visitorsBy('$device_type', 'ActionsPie'),
    },
    {
      name: 'Ways through the site',
      description: 'Which page visitors enter by, and where they go from there.',
      w: 12,
      h: 9,
      query: insight({
        kind: 'PathsQuery',
        dateRange: { date_from: FROM },
        pathsFilter: { includeEventTypes: ['$pageview'], stepLimit: 4, edgeLimit: 40 },
      }),
    },
  ]),
}
