import { listOf } from '../json.ts'
import type { PathLink } from '../query-results.ts'
import { withoutStep } from '../series-names.ts'
import { LAST_30_DAYS } from './events.ts'
import type { PathsQuery } from './paths.schema.ts'
import type { QueryKind } from './query-kind.ts'

export const paths: QueryKind<PathsQuery> = {
  id: 'paths',
  kind: 'PathsQuery',
  name: 'Paths',
  description: 'Routes that people take.',
  wrapper: { kind: 'InsightVizNode' },
  newQuery: {
    kind: 'PathsQuery',
    dateRange: LAST_30_DAYS,
    pathsFilter: { stepLimit: 5, edgeLimit: 40 },
  },
  fields: { dates: true, filters: true },
  toRows: (result, names) => [
    ['step', 'source', 'target', 'people', 'average_seconds'],
    ...listOf<PathLink>(result).map(({ source, target, value, average_conversion_time }) => [
      Number.parseInt(source, 10),
      names.event(withoutStep(source)),
      names.event(withoutStep(target)),
      value,
      average_conversion_time / 1000,
    ]),
  ],
  actors: { within: 'InsightActorsQuery', fields: [] },
  alert: { isOfRows: true },
  loadDrawing: async () => (await import('../charts/paths.ts')).drawPaths,
}
