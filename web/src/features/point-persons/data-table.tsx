import type { Chart } from '#model/chart.ts'
import { toRows } from '#model/query-kinds/index.ts'
import { ResultTable } from '../../ui/result-table.tsx'
import { findCellPoint } from './to-persons.ts'
import { usePersonsDialog } from './use-persons-dialog.tsx'

/** Shows the rows of a result as in its CSV export. A cell with persons behind it opens them. */
export function DataTable({ chart }: { readonly chart: Pick<Chart, 'query' | 'result'> }) {
  const { showPersons, personsDialog } = usePersonsDialog()
  const [columns = [], ...rows] = toRows(chart.query, chart.result)
  return (
    <>
      {personsDialog}
      <ResultTable
        title="Data"
        columns={columns}
        rows={rows}
        onCell={(row, column) => {
          const point = findCellPoint(chart, row, column)
          return point && (() => showPersons({ chart, point }))
        }}
      />
    </>
  )
}
