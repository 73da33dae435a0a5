import { listOf } from '../json.ts'
import type { WebFigure } from '../web-figures.ts'
import type { QueryKind } from './query-kind.ts'
import type { WebOverviewQuery } from './web-overview.schema.ts'
import { LAST_WEEK, toFiguresView } from './web-rows.ts'

export const webOverview: QueryKind<WebOverviewQuery> = {
  id: 'web-overview',
  kind: 'WebOverviewQuery',
  name: 'Web overview',
  description: 'Visitors, visits, page views, their duration and bounces.',
  wrapper: { kind: 'InsightVizNode' },
  newQuery: { kind: 'WebOverviewQuery', dateRange: LAST_WEEK, compareFilter: { compare: true } },
  fields: { dates: true, filters: true, compare: true },
  isOfWebPage: true,
  toRows: (result) => [
    ['figure', 'value', 'previous', 'change_percent'],
    ...listOf<WebFigure>(result).map(({ key, value, previous, changeFromPreviousPct }) => [
      key,
      value,
      previous,
      changeFromPreviousPct,
    ]),
  ],
  toTextView: toFiguresView,
  actors: { within: 'InsightActorsQuery', fields: ['compare'] },
  alert: { earlier: 'period', isOfRows: true },
  loadDrawing: async () => (await import('../charts/web.ts')).drawFigures,
}
