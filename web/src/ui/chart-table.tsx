import type { TrendSeries } from '#server/analytics/queries/results.ts'
import { type Chart, listOf, unwrap } from '#server/charts/chart.ts'
import { nameSeries, wholeValue } from '#server/charts/series-names.ts'
import { readSql } from '#server/charts/sql.ts'
import { FiguresTable } from './figures-table.tsx'

/** The rows of SQL, or one value of each series. */
export function ChartTable({ chart }: { readonly chart: Chart }) {
  if (unwrap(chart.query).source.kind === 'HogQLQuery') {
    const { columns, rows } = readSql(chart)
    return <FiguresTable title={chart.title} columns={columns} rows={rows} />
  }
  const series = nameSeries(listOf<TrendSeries>(chart.result))
  const rows = series.map((one) => [one.name, wholeValue(one.series)])
  return <FiguresTable title={chart.title} columns={['Series', 'Value']} rows={rows} />
}
