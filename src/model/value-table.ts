import type { Limited } from './chart.ts'
import { findColor } from './color-rules.ts'
import type { DisplaySettings } from './display-settings.ts'
import { toNumberFormat } from './number-format.ts'
import { heatColor, inkOn, type Palette, ruleColor, tinted } from './palette.ts'
import { addsUp } from './query-kinds/additive.ts'
import type { TableView } from './query-kinds/query-kind.ts'
import type { TrendSeries } from './query-results.ts'
import { toValueRows } from './series-names.ts'

/** Lists the value of each series, and their total if they add up. */
export function toValueTable(all: readonly TrendSeries[], settings: DisplaySettings): TableView {
  const [columns = [], ...rows] = toValueRows(all)
  const isOnePeriod = all.every(({ compare_label }) => compare_label !== 'previous')
  const hasTotal = rows.length > 1 && isOnePeriod && addsUp(all)
  const ids = all.map((one) => one.breakdown_name && `${one.breakdown_value}`)
  const total = rows.reduce((sum, [, value]) => sum + Number(value), 0)
  return {
    form: 'table',
    columns,
    rows,
    ...toTableStyle(settings),
    ...(hasTotal && { total: ['Total', total] }),
    ...(ids.some(Boolean) && { ids }),
  }
}

/** Tells how the settings draw the numbers of a table. */
export const toTableStyle = (
  settings: DisplaySettings,
): Pick<TableView, 'format' | 'cells' | 'rules'> => {
  const { tableCells, colorRules } = settings
  return {
    format: toNumberFormat(settings),
    ...(tableCells && tableCells !== 'plain' && { cells: tableCells }),
    ...(colorRules && { rules: colorRules }),
  }
}

/** Lists the values of a chart that does not show all of them. */
export const toLimited = (all: readonly TrendSeries[], settings: DisplaySettings): Limited => ({
  count: all.length,
  canDraw: false,
  toTable: () => toValueTable(all, settings),
})

/** Finds the largest numbers of the columns, which have the longest bars. */
export const toMaxima = ({ columns, rows }: Pick<TableView, 'columns' | 'rows'>): number[] =>
  columns.map((_, at) =>
    rows.reduce((most, row) => Math.max(most, Math.abs(Number(row[at]) || 0)), 0),
  )

/** Returns the length of a bar from 0 to 1. Undefined for what is not a number. */
const toShareOf = (value: unknown, most: number): number | undefined =>
  typeof value === 'number' && most > 0 ? Math.max(0, value / most) : undefined

/** The fill behind a number, and the color of its text. */
export interface CellLook {
  readonly fill: string
  /** The part of the cell that is filled. */
  readonly share: number
  readonly ink: string
}

interface CellStyle extends Pick<TableView, 'cells' | 'rules'> {
  readonly palette: Palette
  /** The name of the cell's column. */
  readonly column: unknown
}

/** Decides what is behind a cell: a bar or a color. The color of a rule comes first. */
export function toCellLook(
  value: unknown,
  most: number,
  { cells, rules, palette, column }: CellStyle,
): CellLook | undefined {
  const ruled = findColor(value, rules, column)
  const chosen = ruled && tinted(palette, ruleColor(palette, ruled))
  const share = cells && toShareOf(value, most)
  if (cells === 'bars' && share !== undefined) {
    return { fill: chosen ?? heatColor(palette, 0.2), share, ink: palette.text }
  }
  if (chosen) return { fill: chosen, share: 1, ink: palette.text }
  if (share === undefined) return undefined
  const fill = heatColor(palette, share)
  return { fill, share: 1, ink: inkOn(fill) }
}

/** Tells whether a column has numbers and nothing else. */
export const isNumeric = (rows: TableView['rows'], at: number): boolean =>
  rows.some((row) => typeof row[at] === 'number') &&
  rows.every((row) => (row[at] ?? null) === null || typeof row[at] === 'number')
