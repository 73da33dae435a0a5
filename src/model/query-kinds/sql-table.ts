import type { Chart } from '../chart.ts'
import { settingsOf } from '../display-settings.ts'
import { displayOf, SQL_DISPLAYS } from '../displays.ts'
import { toLabel } from '../format.ts'
import { fieldsOf, type JsonObject, listOf } from '../json.ts'
import type { TableResult, TrendSeries } from '../query-results.ts'

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
  const chosen = findColumns(table, settingsOf(query) as JsonObject)
  const display = displayOf(SQL_DISPLAYS, query)
  // one number of several rows would be their sum, which is wrong for unique persons and averages
  const isSum = display.form === 'number' && table.rows.length !== 1
  const lines = display.form === 'table' || isSum ? [] : toLines(table, chosen)
  return {
    ...table,
    chosen,
    lines,
    isNumber: table.columns.map((_, at) => isNumeric(table, at)),
    display: lines.length > 0 ? display : SQL_DISPLAYS.ActionsTable,
  }
}

const isNumeric = ({ rows }: Table, column: number): boolean =>
  rows.some((row) => typeof row[column] === 'number') &&
  rows.every((row) => row[column] === null || typeof row[column] === 'number')

/** The positions of a chart's columns; -1 for none. */
interface ChartColumns {
  readonly x: number
  readonly ys: readonly number[]
  /** Its values become lines. */
  readonly series: number
}

/**
 * Finds the chosen columns, or guesses them: x is the first column of times, or else of texts; y are the columns of
 * numbers; and if values of x repeat, another column of texts tells the series apart.
 */
function findColumns(table: Table, settings: JsonObject): ChartColumns {
  const { columns, rows } = table
  const findColumn = (setting: unknown) => columns.indexOf(String(fieldsOf(setting).column))
  const all = [...columns.keys()]
  const numeric = all.filter((column) => isNumeric(table, column))
  const texts = all.filter((column) => !numeric.includes(column))
  const named = findColumn(settings.xAxis)
  const guessed = texts.find((column) => isTime(table, column)) ?? texts[0] ?? -1
  const x = named >= 0 ? named : guessed
  const isRepeated = new Set(rows.map((row) => row[x])).size < rows.length
  const { seriesBreakdownColumn: chosen } = settings
  const other = isRepeated ? texts.find((column) => column !== x) : undefined
  const series = chosen === undefined ? (other ?? -1) : columns.indexOf(chosen as string)
  const wanted = listOf(settings.yAxis).map(findColumn)
  const chosenYs = wanted.filter((column) => numeric.includes(column))
  const ys = (chosenYs.length > 0 ? chosenYs : numeric).filter(
    (column) => column !== x && column !== series,
  )
  return { x, ys, series }
}

const isTime = ({ rows }: Table, column: number): boolean =>
  rows.length > 0 && rows.every((row) => /^\d{4}-\d{2}/.test(String(row[column])))

/**
 * Returns one line per y column and value of the series column, the largest first. Returns none if two rows have the same
 * place on a line: their sum would be wrong for unique persons and averages.
 */
function toLines(table: Table, { x, ys, series }: ChartColumns): TrendSeries[] {
  const { columns, rows } = table
  const label = (row: Table['rows'][number], column: number) => toLabel(row[column])
  if (series < 0) {
    const days = rows.map((row, index) => (x < 0 ? String(index + 1) : label(row, x)))
    return ys.map((column) =>
      toLine(
        toLabel(columns[column]),
        days,
        rows.map((row) => Number(row[column] ?? 0)),
      ),
    )
  }
  const found = [...new Set(rows.map((row) => label(row, x)))]
  const days = isTime(table, x) ? found.sort() : found
  const indexes = new Map(days.map((day, index) => [day, index]))
  const places = new Set(rows.map((row) => JSON.stringify([label(row, x), label(row, series)])))
  if (places.size < rows.length) return []
  const lines = new Map<string, number[]>()
  for (const row of rows) {
    for (const column of ys) {
      const own = label(row, series)
      const name = ys.length > 1 ? `${own} · ${toLabel(columns[column])}` : own
      const data = lines.get(name) ?? days.map(() => 0)
      data[indexes.get(label(row, x)) as number] = Number(row[column] ?? 0)
      lines.set(name, data)
    }
  }
  return [...lines]
    .map(([name, data]) => toLine(name, days, data))
    .sort((one, other) => other.count - one.count)
}

const toLine = (label: string, days: readonly string[], data: readonly number[]): TrendSeries => {
  const count = data.reduce((sum, value) => sum + value, 0)
  return { label, count, data, labels: days, days, action: null }
}
