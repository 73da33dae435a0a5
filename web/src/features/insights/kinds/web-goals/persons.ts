import { fieldsOf, listOf } from '#model/json.ts'
import type { WebGoalsQuery } from '#model/query-kinds/web-goals.schema.ts'
import type { KindPersons } from '../../../persons/behind-point/point.ts'

export const persons: KindPersons<WebGoalsQuery> = {
  /** The persons of a goal that the query does not name are found by a query that names it. */
  toPersons(query, result, { series }) {
    const row = listOf<readonly unknown[]>(fieldsOf(result).results)[series]
    if (!row) return undefined
    const name = String(row[0])
    const source = query.goals ? query : { ...query, goals: [{ event: name }] }
    return {
      words: [name],
      source: { kind: 'InsightActorsQuery', source, series: query.goals ? series : 0 },
    }
  },
  pointAt: (_, row, column) => (column === 1 ? { series: row } : undefined),
}
