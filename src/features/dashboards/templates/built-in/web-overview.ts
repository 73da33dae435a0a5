import type { Template } from '../template.ts'
import { FIGURE, layOut } from './lay-out.ts'
import { figure, pageviews, queryTile, type TrendOptions, trend } from './queries.ts'

const FROM = '-30d'

const visitorsBy = (breakdown: string, more: Partial<TrendOptions> = {}) =>
  trend({ from: FROM, display: 'ActionsBarValue', breakdown, ...more })

/** A list beside two others, and beside a map. */
const LIST = { w: 4, h: 6 }
const NARROW = { w: 3, h: 5 }

export const webOverview: Template = {
  name: 'Web overview',
  description: 'Visitors, their sources and the pages they view.',
  filters: { date_from: FROM },
  tags: ['marketing'],
  tiles: layOut([
    {
      name: 'Visitors',
      description: 'Unique visitors, compared with the previous 30 days.',
      ...FIGURE,
      query: figure(FROM, pageviews('dau')),
    },
    {
      name: 'Sessions',
      description: 'Visits, compared with the previous 30 days.',
      ...FIGURE,
      query: figure(FROM, pageviews('unique_session')),
    },
    {
      name: 'Page views',
      description: 'Compared with the previous 30 days.',
      ...FIGURE,
      query: figure(FROM, pageviews()),
    },
    {
      name: 'Pages per session',
      description: 'Compared with the previous 30 days.',
      ...FIGURE,
      query: figure(FROM, [pageviews(), pageviews('unique_session')], { formula: 'A / B' }),
    },
    {
      name: 'Visitors and sessions per day',
      description: 'The last 30 days.',
      w: 12,
      query: trend({
        from: FROM,
        series: [
          pageviews('dau', { custom_name: 'Visitors' }),
          pageviews('unique_session', { custom_name: 'Sessions' }),
        ],
      }),
    },
    { section: 'Pages and sources' },
    {
      name: 'Top pages',
      description: 'Pages by views.',
      ...LIST,
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
      ...LIST,
      query: visitorsBy('$referring_domain'),
    },
    {
      name: 'Campaigns',
      description: 'Visitors by UTM source.',
      ...LIST,
      query: visitorsBy('utm_source', {
        properties: [{ key: 'utm_source', operator: 'is_set', type: 'event' }],
      }),
    },
    { section: 'Audience' },
    {
      name: 'Countries',
      description: 'Visitors by country.',
      w: 6,
      query: visitorsBy('$geoip_country_code', { display: 'WorldMap' }),
    },
    {
      name: 'Browsers',
      description: 'Visitors by browser.',
      ...NARROW,
      query: visitorsBy('$browser'),
    },
    {
      name: 'Devices',
      description: 'Visitors by device type.',
      ...NARROW,
      query: trend({ from: FROM, display: 'ActionsPie', breakdown: '$device_type' }),
    },
    { section: 'Paths' },
    {
      name: 'Paths through the site',
      description: 'The pages on which visitors enter, and the pages they view next.',
      w: 12,
      h: 8,
      query: queryTile({
        kind: 'PathsQuery',
        dateRange: { date_from: FROM },
        pathsFilter: { includeEventTypes: ['$pageview'], stepLimit: 4, edgeLimit: 40 },
      }),
    },
  ]),
}
