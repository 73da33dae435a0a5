import type { EChartsOption } from 'echarts'
import { type Chart, type Frame, NO_ROWS } from '../chart.ts'
import { formatCell, toLabel } from '../format.ts'
import { readTable } from '../sql-table.ts'
import { message } from './parts.ts'
import { drawTable } from './table.ts'
import { type TimeSeriesStyle, timeSeries } from './time-series.ts'
import { bigNumber } from './values.ts'

const SHAPES: ReadonlyMap<string, Pick<TimeSeriesStyle, 'shape' | 'stacked'>> = new Map([
  ['ActionsLineGraph', { shape: 'line', stacked: false }],
  ['ActionsAreaGraph', { shape: 'area', stacked: true }],
  ['ActionsBar', { shape: 'bar', stacked: false }],
  ['ActionsStackedBar', { shape: 'bar', stacked: true }],
])

/** Draws the rows as a table, or as lines or bars if `display` asks for them and there are numbers. */
export function drawSql(chart: Chart, frame: Frame): EChartsOption {
  const { columns, rows, isNumber, lines, display } = readTable(chart)
  if (rows.length === 0 || columns.length === 0) return message(frame, NO_ROWS)
  const shape = SHAPES.get(display)
  if (shape && lines.length > 0) return timeSeries(lines, frame, { ...shape, interval: 'hour' })
  if (display === 'BoldNumber' && lines[0]) return bigNumber(lines.slice(0, 1), frame)
  const texts = rows.map((row) => row.map(formatCell))
  return drawTable(frame, columns.map(toLabel), texts, isNumber)
}
