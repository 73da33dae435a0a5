import { MultiSelect } from '@mantine/core'
import type { QueryNode } from '#model/query-kinds/index.ts'
import type { ChartSettings } from '#model/query-kinds/query-kind.ts'
import { readTable } from '#model/query-kinds/sql-table.ts'
import { Choice } from '../../../../ui/form/choice.tsx'
import type { QueryResponse } from '../../editor/api.ts'
import classes from '../../editor/editor.module.css'

interface ChartColumnsProps {
  readonly node: QueryNode
  readonly result: QueryResponse
  readonly onChange: (node: QueryNode) => void
}

/** Stands for no column: a column cannot have an empty name. */
const NONE = ''

/** Chooses which columns of the rows a chart draws, starting from the guess. */
export function ChartColumns({ node, result, onChange }: ChartColumnsProps) {
  const table = { columns: result.columns ?? [], results: result.results }
  const { display, columns, isNumber, chosen } = readTable({
    title: '',
    query: node,
    result: table,
  })
  if (display.form === 'table') return null
  const names = [...new Set(columns)]
  const numbers = [...new Set(columns.filter((_, at) => isNumber[at]))]
  const set = (changed: ChartSettings) =>
    onChange({ ...node, chartSettings: { ...node.chartSettings, ...changed } })
  return (
    <div className={classes.toolbar}>
      <Choice
        label="X axis"
        className={classes.long ?? ''}
        data={names}
        value={columns[chosen.x] ?? null}
        placeholder="Row number"
        onChange={(column) => set({ xAxis: { column } })}
      />
      <MultiSelect
        label="Y axis"
        className={classes.columns ?? ''}
        data={numbers}
        value={[...new Set(chosen.ys.map((at) => columns[at] as string))]}
        onChange={(chosenNames) => set({ yAxis: chosenNames.map((column) => ({ column })) })}
      />
      <Choice
        label="Series"
        className={classes.long ?? ''}
        data={[{ value: NONE, label: 'None' }, ...names]}
        value={columns[chosen.series] ?? NONE}
        onChange={(column) => set({ seriesBreakdownColumn: column || null })}
      />
    </div>
  )
}
