import { type Chart, listOf, unwrap } from '#model/chart.ts'
import { readSql } from '#model/charts/sql.ts'
import type { TrendSeries } from '#model/query-results.ts'
import { nameSeries, totalOf } from '#model/series-names.ts'
import { FiguresTable } from './figures-table.tsx'

/** Shows SQL rows, or one value per series. */
export function ChartTable({ chart }: { readonly chart: Chart }) {
  if (unwrap(chart.query).source.kind === 'HogQLQuery') {
    const { columns, rows } = readSql(chart)
    return <FiguresTable title={chart.title} columns={columns} rows={rows} />
  }
  const series = nameSeries(listOf<TrendSeries>(chart.result))
  const rows = series.map((one) => [one.name, totalOf(one.series)])
  return <FiguresTable title={chart.title} columns={['Series', 'Value']} rows={rows} />
}
