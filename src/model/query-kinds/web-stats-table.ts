import type { QueryKind } from './query-kind.ts'
import { LAST_WEEK, toPairRows, toPairView } from './web-rows.ts'
import type { WebStatsTableQuery } from './web-stats-table.schema.ts'

export const webStatsTable: QueryKind<WebStatsTableQuery> = {
  id: 'web-stats-table',
  kind: 'WebStatsTableQuery',
  name: 'Web breakdown',
  description: 'Visitors by page, source, place or device.',
  wrapper: { kind: 'InsightVizNode' },
  newQuery: {
    kind: 'WebStatsTableQuery',
    breakdownBy: 'Page',
    dateRange: LAST_WEEK,
    limit: 10,
  },
  fields: { dates: true, filters: true, compare: true },
  isOfWebPage: true,
  toRows: toPairRows,
  toTextView: toPairView,
  hasColumns: true,
  actors: { within: 'InsightActorsQuery', fields: ['breakdown', 'compare'] },
  alert: { earlier: 'period', isOfRows: true },
  loadDrawing: async () => (await import('../charts/web.ts')).drawPairs,
}
