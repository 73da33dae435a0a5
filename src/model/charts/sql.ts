import { type Chart, type Drawing, type Frame, NO_ROWS } from '../chart.ts'
import { formatCell, toLabel } from '../format.ts'
import type { TrendSeries } from '../query-results.ts'
import { isOneNumber } from '../series-names.ts'
import { readTable } from '../sql-table.ts'
import { message } from './parts.ts'
import { drawTable } from './table.ts'
import { type TimeSeriesStyle, timeSeries } from './time-series.ts'
import { bigNumber, valueTable } from './values.ts'

const SHAPES: ReadonlyMap<string, Pick<TimeSeriesStyle, 'shape' | 'stacked'>> = new Map([
  ['ActionsLineGraph', { shape: 'line', stacked: false }],
  ['ActionsAreaGraph', { shape: 'area', stacked: true }],
  ['ActionsBar', { shape: 'bar', stacked: false }],
  ['ActionsStackedBar', { shape: 'bar', stacked: true }],
])

/** Draws the rows as a table, or as lines or bars if `display` asks for them and there are numbers. */
export function drawSql(chart: Chart, frame: Frame): Drawing {
  const { columns, rows, isNumber, lines, display } = readTable(chart)
  if (rows.length === 0 || columns.length === 0) return message(frame, NO_ROWS)
  const shape = SHAPES.get(display)
  if (shape) return timeSeries(lines, frame, { ...shape, interval: toInterval(lines) })
  if (display === 'BoldNumber') {
    return isOneNumber(lines) ? bigNumber(lines, frame) : valueTable(lines, frame)
  }
  const texts = rows.map((row) => row.map(formatCell))
  return drawTable(frame, columns.map(toLabel), texts, isNumber)
}

/** Times that are all midnight are days. */
const toInterval = ([first]: readonly TrendSeries[]) =>
  first?.days.every((day) => /^\S{10}([T ]00:00|$)/.test(day)) ? 'day' : 'hour'
