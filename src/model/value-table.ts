import type { DisplaySettings } from './display-settings.ts'
import { toNumberFormat } from './number-format.ts'
import { addsUp } from './query-kinds/additive.ts'
import type { TableView } from './query-kinds/query-kind.ts'
import type { TrendSeries } from './query-results.ts'
import { toValueRows } from './series-names.ts'

/** Lists the value of each series, and their total if they add up. */
export function toValueTable(all: readonly TrendSeries[], settings: DisplaySettings): TableView {
  const [columns = [], ...rows] = toValueRows(all)
  const { tableCells } = settings
  const isOnePeriod = all.every(({ compare_label }) => compare_label !== 'previous')
  const hasTotal = rows.length > 1 && isOnePeriod && addsUp(all)
  const total = rows.reduce((sum, [, value]) => sum + Number(value), 0)
  return {
    form: 'table',
    columns,
    rows,
    format: toNumberFormat(settings),
    ...(hasTotal && { total: ['Total', total] }),
    ...(tableCells && tableCells !== 'plain' && { cells: tableCells }),
  }
}

/** Finds the largest numbers of the columns, which have the longest bars. */
export const toMaxima = ({ columns, rows }: Pick<TableView, 'columns' | 'rows'>): number[] =>
  columns.map((_, at) =>
    rows.reduce((most, row) => Math.max(most, Math.abs(Number(row[at]) || 0)), 0),
  )

/** Returns the length of a bar from 0 to 1. Undefined for what is not a number. */
export const toShareOf = (value: unknown, most: number): number | undefined =>
  typeof value === 'number' && most > 0 ? Math.max(0, value / most) : undefined

/** Tells whether a column has numbers and nothing else. */
export const isNumeric = (rows: TableView['rows'], at: number): boolean =>
  rows.some((row) => typeof row[at] === 'number') &&
  rows.every((row) => (row[at] ?? null) === null || typeof row[at] === 'number')
