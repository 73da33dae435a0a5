import type { Chart } from '../chart.ts'
import { type Fields, fieldsOf, listOf } from '../fields.ts'
import { toLabel } from '../format.ts'
import { unwrapQuery } from '../query-node.ts'
import type { TableResult, TrendSeries } from '../query-results.ts'
import type { AlertProblem, AlertValue, QueryKind } from './query-kind.ts'
import type { HogQLQuery } from './sql.schema.ts'

export const sql: QueryKind<HogQLQuery> = {
  id: 'sql',
  kind: 'HogQLQuery',
  name: 'SQL',
  description: 'Anything else, as one SELECT over the events.',
  wrapper: { kind: 'DataVisualizationNode', display: 'ActionsTable' },
  newQuery: {
    kind: 'HogQLQuery',
    query: `select toDate(timestamp) as day, count() as events, uniq(person_id) as people
from events
where timestamp >= now() - interval '30 day'
group by day
order by day`,
  },
  fields: {},

  toRows(result) {
    const { columns, results } = fieldsOf(result)
    return [listOf(columns), ...listOf<readonly unknown[]>(results)]
  },

  toTextView(chart) {
    const { display, columns, rows, lines } = readTable(chart)
    if (rows.length === 0) return undefined
    if (display === 'BoldNumber') return { form: 'number', series: lines.slice(0, 1) }
    return display === 'ActionsTable' ? { form: 'table', columns, rows } : undefined
  },

  loadDrawing: async () => (await import('../charts/sql.ts')).drawSql,
  hasColumns: true,
  alert: { hasPrevious: false, measure },
}

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

/** Reads the rows and what of them can be drawn; without any line, `display` is a table. */
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

/** Draws the columns named as y, or all numbers, over the column named as x, or the first that is no number. */
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

/** Takes the first cell. Large numbers may come as text. */
function measure(results: readonly unknown[]): AlertValue | AlertProblem {
  const [cell] = Array.isArray(results[0]) ? results[0] : []
  const isNumber = typeof cell === 'number' || (typeof cell === 'string' && cell.trim() !== '')
  const value = isNumber ? Number(cell) : Number.NaN
  if (Number.isFinite(value)) return { value, previous: undefined }
  return { problem: 'The first cell of the first row is not a number.' }
}
