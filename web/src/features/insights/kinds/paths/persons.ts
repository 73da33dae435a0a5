import { listOf } from '#model/json.ts'
import type { PathsQuery } from '#model/query-kinds/paths.schema.ts'
import type { PathLink } from '#model/query-results.ts'
import { toPathLabel } from '#model/series-names.ts'
import type { KindPersons } from '../../../persons/behind-point/point.ts'

/** The column with the number of persons. */
const PERSONS = 3

export const persons: KindPersons<PathsQuery> = {
  toPersons(query, result, { series: at }) {
    const link = listOf<PathLink>(result)[at]
    if (!link) return undefined
    const { source, target } = link
    const pathsFilter = { ...query.pathsFilter, pathStartKey: source, pathEndKey: target }
    return {
      words: [
        `${toPathLabel(source)} → ${toPathLabel(target)}`,
        `step ${Number.parseInt(source, 10)}`,
      ],
      source: { kind: 'InsightActorsQuery', source: { ...query, pathsFilter } },
    }
  },
  pointAt: (_, row, column) => (column === PERSONS ? { series: row } : undefined),
}
