import type { QueryKind } from './query-kind.ts'
import type { WebGoalsQuery } from './web-goals.schema.ts'
import { LAST_WEEK, toPairRows, toPairView } from './web-rows.ts'

export const webGoals: QueryKind<WebGoalsQuery> = {
  id: 'web-goals',
  kind: 'WebGoalsQuery',
  name: 'Web goals',
  description: 'Visitors who did what a site is for.',
  wrapper: { kind: 'InsightVizNode' },
  newQuery: { kind: 'WebGoalsQuery', dateRange: LAST_WEEK },
  fields: { dates: true, filters: true, compare: true },
  isOfWebPage: true,
  listEvents: ({ goals }) => goals ?? [],
  toRows: toPairRows,
  toTextView: toPairView,
  hasColumns: true,
  actors: { within: 'InsightActorsQuery', fields: ['series', 'compare'] },
  alert: { earlier: 'period', isOfRows: true },
  loadDrawing: async () => (await import('../charts/web.ts')).drawPairs,
}
