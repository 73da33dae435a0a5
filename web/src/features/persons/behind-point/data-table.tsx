import type { ChartPoint } from '#model/chart.ts'
import { SHOWN } from '#model/names/row-names.ts'
import { toRows } from '#model/query-kinds/index.ts'
import { ResultTable } from '../../../ui/chart/result-table.tsx'
import type { ShownChart } from './point.ts'
import { findCellPoint } from './to-persons.ts'

export interface DataTableProps {
  readonly chart: ShownChart
  /** undefined: the user may not see the persons. */
  readonly onPoint?: ((point: ChartPoint) => void) | undefined
}

/** Shows the rows of a result, as in its CSV export but with the names that people read. A cell with persons behind it is a button. */
export function DataTable({ chart, onPoint }: DataTableProps) {
  const [columns = [], ...rows] = toRows(chart.query, chart.result, SHOWN)
  return (
    <ResultTable
      title="Data"
      columns={columns}
      rows={withoutMidnights(rows)}
      onCell={(row, column) => {
        const point = onPoint && findCellPoint(chart, row, column)
        return point && (() => onPoint(point))
      }}
    />
  )
}

const MIDNIGHT = /T00:00:00(\.000)?Z$/

/** Shows only the date in a column of days. */
function withoutMidnights(rows: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
  const isDay = rows[0]?.map((_, at) => rows.every((row) => MIDNIGHT.test(`${row[at]}`))) ?? []
  return rows.map((row) =>
    row.map((cell, at) => (isDay[at] ? `${cell}`.replace(MIDNIGHT, '') : cell)),
  )
}
