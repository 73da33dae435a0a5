import { watchRow } from './measure-row.ts'
import type { QueryKind } from './query-kind.ts'
import type { WebGoalsQuery } from './web-goals.schema.ts'
import { LAST_WEEK, type PairRow, toPairRows, toPairView } from './web-rows.ts'

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
  alert: watchRow(
    (row: PairRow) => row.at(-1)?.[0],
    (row: PairRow) => row.at(-1)?.[1],
  ),
  loadDrawing: async () => (await import('../charts/web.ts')).drawPairs,
}
