import { type Chart, displayOf, listOf, unwrap } from '#model/chart.ts'
import { readSql } from '#model/charts/sql.ts'

/** Numbers and tables are HTML, which can be selected, scrolled and read out; the rest is drawn. */
export type ChartForm = 'message' | 'number' | 'retention' | 'table' | 'drawing'

export function formOf(chart: Chart): ChartForm {
  if (chart.result === null || chart.result === undefined) return 'message'
  switch (unwrap(chart.query).source.kind) {
    case 'RetentionQuery':
      return 'retention'
    case 'TrendsQuery':
      return trendForm(chart)
    case 'HogQLQuery':
      return sqlForm(chart)
    default:
      return 'drawing'
  }
}

function trendForm({ query, result }: Chart): ChartForm {
  if (listOf(result).length === 0) return 'drawing'
  const display = displayOf(query)
  if (display === 'BoldNumber') return 'number'
  return display === 'ActionsTable' ? 'table' : 'drawing'
}

function sqlForm(chart: Chart): ChartForm {
  const { display, rows } = readSql(chart)
  if (rows.length === 0) return 'drawing'
  if (display === 'BoldNumber') return 'number'
  return display === 'ActionsTable' ? 'table' : 'drawing'
}
