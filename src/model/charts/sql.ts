import { type Chart, type Drawing, type Frame, NO_ROWS } from '../chart.ts'
import { settingsOf } from '../display-settings.ts'
import { readTable } from '../query-kinds/sql-table.ts'
import type { TrendSeries } from '../query-results.ts'
import { toTableStyle } from '../value-table.ts'
import { message } from './parts.ts'
import { drawSeries } from './series.ts'
import { drawTable } from './table.ts'

/** Draws the rows as a table, or as `display` says if there are numbers. */
export function drawSql(chart: Chart, frame: Frame): Drawing {
  const { columns, rows, lines, display } = readTable(chart)
  if (rows.length === 0 || columns.length === 0) return message(frame, NO_ROWS)
  const settings = settingsOf(chart.query)
  const style = toTableStyle(settings)
  return display.form === 'table'
    ? drawTable(frame, { columns, rows, ...style })
    : drawSeries(lines, frame, { ...style, display, settings, interval: toInterval(lines) })
}

/** Times that are all midnight are days. */
const toInterval = ([first]: readonly TrendSeries[]) =>
  first?.days.every((day) => /^\S{10}([T ]00:00|$)/.test(day)) ? 'day' : 'hour'
