import type { EChartsOption } from 'echarts'
import {
  type Chart,
  displayOf,
  type Fields,
  fieldsOf,
  type Look,
  listOf,
  unwrap,
} from '../chart.ts'
import { fullNumber, toLabel } from '../format.ts'
import type { TableResult, TrendSeries } from '../query-results.ts'
import { message } from './parts.ts'
import { table } from './table.ts'
import { type TimeSeriesLook, timeSeries } from './time-series.ts'
import { bigNumber } from './values.ts'

const SHAPES: ReadonlyMap<string, Pick<TimeSeriesLook, 'shape' | 'stacked'>> = new Map([
  ['ActionsLineGraph', { shape: 'line', stacked: false }],
  ['ActionsAreaGraph', { shape: 'area', stacked: true }],
  ['ActionsBar', { shape: 'bar', stacked: false }],
  ['ActionsStackedBar', { shape: 'bar', stacked: true }],
])

/** Rows as they are, or as lines and bars where `display` says so and there are numbers. */
export function sql(chart: Chart, look: Look): EChartsOption {
  const { columns, rows, isNumber, lines, display } = readSql(chart)
  if (rows.length === 0 || columns.length === 0) return message(look, NO_ROWS)
  const shape = SHAPES.get(display)
  if (shape && lines.length > 0) return timeSeries(lines, look, { ...shape, interval: 'hour' })
  if (display === 'BoldNumber' && lines[0]) return bigNumber(lines.slice(0, 1), look)
  const texts = rows.map((row) => row.map(toCell))
  return table(look, columns.map(toLabel), texts, isNumber)
}

export const NO_ROWS = 'The query found no rows'

/** What a table of SQL holds, and what of it can be drawn: no lines, and it stays a table. */
export function readSql({ query, result }: Chart) {
  const rows = listOf<readonly unknown[]>(fieldsOf(result).results)
  const columns = listOf<string>(fieldsOf(result).columns)
  const { node } = unwrap(query)
  const display = typeof node.display === 'string' ? displayOf(query) : 'ActionsTable'
  const answer = { columns, rows }
  const isDrawn = SHAPES.has(display) || display === 'BoldNumber'
  const lines = isDrawn ? toSeries(answer, fieldsOf(node.chartSettings)) : []
  const isNumber = columns.map((_, at) => isNumeric(answer, at))
  return { columns, rows, isNumber, lines, display: lines.length > 0 ? display : 'ActionsTable' }
}

interface Answer {
  readonly columns: TableResult['columns']
  readonly rows: TableResult['results']
}

const isNumeric = ({ rows }: Answer, column: number): boolean =>
  rows.some((row) => typeof row[column] === 'number') &&
  rows.every((row) => row[column] === null || typeof row[column] === 'number')

export const toCell = (value: unknown): string =>
  typeof value === 'number' ? fullNumber(value) : value === null ? '' : toLabel(value)

/** The column named as x, or the first that is not a number, against those named as y, or all that are. */
function toSeries(answer: Answer, settings: Fields): TrendSeries[] {
  const { columns, rows } = answer
  const at = (setting: unknown) => columns.indexOf(String(fieldsOf(setting).column))
  const numeric = columns.map((_, column) => column).filter((column) => isNumeric(answer, column))
  const wanted = listOf(settings.yAxis)
    .map(at)
    .filter((column) => numeric.includes(column))
  const named = at(settings.xAxis)
  const x = named >= 0 ? named : columns.findIndex((_, column) => !numeric.includes(column))
  const ys = (wanted.length > 0 ? wanted : numeric).filter((column) => column !== x)
  const days = rows.map((row, index) => (x < 0 ? String(index + 1) : toLabel(row[x])))
  return ys.map((column) => {
    const data = rows.map((row) => Number(row[column] ?? 0))
    const count = rows.length === 1 ? (data[0] ?? 0) : data.reduce((sum, value) => sum + value, 0)
    return { label: toLabel(columns[column]), count, data, labels: days, days, action: null }
  })
}
