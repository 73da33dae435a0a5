import { toLabel } from '#model/format.ts'
import { listOf } from '#model/json.ts'
import type { RetentionQuery } from '#model/query-kinds/retention.schema.ts'
import type { RetentionCohort } from '#model/query-results.ts'
import { type KindPersons, longDay } from '../../../persons/behind-point/point.ts'

/** The columns of the table before the first interval: the date and the name of the row. */
const HEAD = 2

export const persons: KindPersons<RetentionQuery> = {
  toPersons(query, result, { series: row, index: column = 0 }) {
    const cohort = listOf<RetentionCohort>(result)[row]
    const value = cohort?.values[column]
    if (!cohort || !value) return undefined
    const start = longDay(cohort.date, query.retentionFilter?.period?.toLowerCase())
    return {
      words: [start, ...(column === 0 ? [] : [`back in ${toLabel(value.label)}`])],
      source: { kind: 'InsightActorsQuery', source: query, interval: row, returned: column },
    }
  },
  pointAt: (result, row, column) =>
    listOf<RetentionCohort>(result)[row]?.values[column - HEAD]
      ? { series: row, index: column - HEAD }
      : undefined,
}
