import type { Chart } from './chart.ts'
import { type Fields, fieldsOf, listOf } from './fields.ts'
import { toLabel } from './format.ts'
import { unwrapQuery } from './query-node.ts'
import type { TableResult, TrendSeries } from './query-results.ts'

/** Displays that draw lines or bars, or show one number; all others show a table. */
const DRAWN = [
  'ActionsLineGraph',
  'ActionsAreaGraph',
  'ActionsBar',
  'ActionsStackedBar',
  'BoldNumber',
]

interface Table {
  readonly columns: TableResult['columns']
  readonly rows: TableResult['results']
}

/** Reads the rows and the lines that can be drawn. Without lines, `display` is a table. */
export function readTable({ query, result }: Chart) {
  const table: Table = {
    columns: listOf(fieldsOf(result).columns),
    rows: listOf(fieldsOf(result).results),
  }
  const { source, wrappers } = unwrapQuery(query)
  const { display, chartSettings } = wrappers[0] ?? source
  const isDrawn = typeof display === 'string' && DRAWN.includes(display)
  const lines = isDrawn ? toLines(table, fieldsOf(chartSettings)) : []
  return {
    ...table,
    lines,
    isNumber: table.columns.map((_, at) => isNumeric(table, at)),
    display: lines.length > 0 ? (display as string) : 'ActionsTable',
  }
}

const isNumeric = ({ rows }: Table, column: number): boolean =>
  rows.some((row) => typeof row[column] === 'number') &&
  rows.every((row) => row[column] === null || typeof row[column] === 'number')

/** Uses the chosen y columns, or all numeric ones, over the chosen x column, or the first that is not numeric. */
function toLines(table: Table, settings: Fields): TrendSeries[] {
  const { columns, rows } = table
  const indexOf = (setting: unknown) => columns.indexOf(String(fieldsOf(setting).column))
  const numeric = columns.map((_, column) => column).filter((column) => isNumeric(table, column))
  const chosen = listOf(settings.yAxis)
    .map(indexOf)
    .filter((column) => numeric.includes(column))
  const named = indexOf(settings.xAxis)
  const x = named >= 0 ? named : columns.findIndex((_, column) => !numeric.includes(column))
  const ys = (chosen.length > 0 ? chosen : numeric).filter((column) => column !== x)
  const days = rows.map((row, index) => (x < 0 ? String(index + 1) : toLabel(row[x])))
  return ys.map((column) => {
    const data = rows.map((row) => Number(row[column] ?? 0))
    const count = rows.length === 1 ? (data[0] ?? 0) : data.reduce((sum, value) => sum + value, 0)
    return { label: toLabel(columns[column]), count, data, labels: days, days, action: null }
  })
}
