import type { Template, TemplateInsight } from '../template.ts'
import { pageviews, trend } from './queries.ts'

const FROM = '-30d'
const FROM_GOOGLE = [
  { key: '$referring_domain', value: 'google', operator: 'icontains', type: 'event' },
]

const sessionsPerUser = {
  series: [pageviews('unique_session'), pageviews('dau')],
  formula: 'A / B',
}
const pagesPerUser = { series: [pageviews('total'), pageviews('dau')], formula: 'A / B' }
const topPages = { display: 'ActionsBarValue', breakdown: '$pathname', series: [pageviews()] }

type Row = [name: string, color: string | null, place: number[], query: object]

const ROWS: readonly Row[] = [
  [
    'Website Unique Users (Total)',
    'blue',
    [0, 0, 6, 5],
    trend({ from: FROM, display: 'BoldNumber' }),
  ],
  [
    'Organic SEO Unique Users (Total)',
    'green',
    [6, 0, 6, 5],
    trend({ from: FROM, display: 'BoldNumber', properties: FROM_GOOGLE }),
  ],
  ['Website Unique Users (Breakdown)', 'blue', [0, 5, 6, 5], trend({ from: FROM })],
  [
    'Organic SEO Unique Users (Breakdown)',
    'green',
    [6, 5, 6, 5],
    trend({ from: FROM, properties: FROM_GOOGLE }),
  ],
  ['Sessions Per User', null, [0, 10, 6, 5], trend({ from: FROM, ...sessionsPerUser })],
  ['Pages Per User', null, [6, 10, 6, 5], trend({ from: FROM, ...pagesPerUser })],
  ['Top Website Pages (Overall)', 'black', [0, 15, 6, 8], trend({ from: FROM, ...topPages })],
  [
    'Top Website Pages (via Google)',
    'black',
    [6, 15, 6, 8],
    trend({ from: FROM, ...topPages, properties: FROM_GOOGLE }),
  ],
  [
    'Website Users by Location',
    null,
    [0, 23, 12, 8],
    trend({ from: FROM, display: 'WorldMap', breakdown: '$geoip_country_code' }),
  ],
]

const toTile = (
  [name, color, [x = 0, y = 0, w = 6, h = 5], query]: Row,
  index: number,
): TemplateInsight => ({
  type: 'INSIGHT',
  name,
  description: '',
  color,
  layouts: {
    sm: { i: String(21 + index), x, y, w, h, minW: 3, minH: 5 },
    xs: { i: String(21 + index), x: 0, y: index * 5, w: 1, h: 5, minW: 1, minH: 5 },
  },
  query,
})

export const websiteTraffic: Template = {
  name: 'Website traffic',
  description: '',
  filters: { date_from: FROM },
  tags: ['marketing'],
  tiles: ROWS.map(toTile),
}
