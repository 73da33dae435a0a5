import { toLabel } from '#model/format.ts'
import { fieldsOf, listOf } from '#model/json.ts'
import { toValueLabel } from '#model/names/event-label.ts'
import type { WebStatsTableQuery } from '#model/query-kinds/web-stats-table.schema.ts'
import { WEB_BREAKDOWNS } from '#model/web-breakdowns.ts'
import type { KindPersons } from '../../../persons/behind-point/point.ts'

const rowsOf = (result: unknown) => listOf<readonly unknown[]>(fieldsOf(result).results)

export const persons: KindPersons<WebStatsTableQuery> = {
  toPersons(query, result, { series }) {
    const row = rowsOf(result)[series]
    if (!row) return undefined
    const value = row[0] === null ? '' : String(row[0])
    return {
      words: [
        WEB_BREAKDOWNS[query.breakdownBy].label,
        value ? toLabel(toValueLabel(value)) : '(none)',
      ],
      source: { kind: 'InsightActorsQuery', source: query, breakdown: value },
      hasEvents: false,
    }
  },
  pointAt: (_, row, column) => (column === 1 ? { series: row } : undefined),
}
