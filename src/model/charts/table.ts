import type { Drawing, Frame } from '../chart.ts'
import { toLabel } from '../format.ts'
import { formatCell } from '../number-format.ts'
import { paletteOf } from '../palette.ts'
import { pluralize } from '../pluralize.ts'
import type { TableView } from '../query-kinds/query-kind.ts'
import { isNumeric, toCellLook, toMaxima } from '../value-table.ts'
import { drawBox, drawing, drawText, type Graphic } from './parts.ts'

export const ROW = 26
const PADDING = 12
/** The minimum width of truncated text. */
const MIN_TEXT = 96
const CHARACTER_WIDTH = 7

/** Draws a table. The footer counts the rows and columns that do not fit. */
export function drawTable(frame: Frame, table: Omit<TableView, 'form'>): Drawing {
  const summary = `${pluralize(table.rows.length, 'row')} and ${pluralize(table.columns.length, 'column')}.`
  return { ...drawing(frame, drawRows(frame, table)), summary }
}

/** Draws the elements of a table into the upper left of a chart. */
export function drawRows(frame: Frame, table: Omit<TableView, 'form'>): Graphic[] {
  const { columns, rows, format, total } = table
  const palette = paletteOf(frame.scheme)
  const tableWidth = frame.width - 2 * PADDING
  const rowsThatFit = Math.max(1, Math.floor((frame.height - (total ? 2 : 1) * ROW - 24) / ROW))
  const isWhole = rows.length * ROW + (total ? 2 : 1) * ROW <= frame.height
  const body = isWhole ? rows : rows.slice(0, rowsThatFit)
  const isNumber = columns.map((_, at) => isNumeric(rows, at))
  const toTexts = (row: readonly unknown[]) => row.map((cell) => formatCell(cell ?? null, format))
  const texts = body.map(toTexts)
  const names = columns.map(toLabel)
  const widths = columnWidths(names, texts, tableWidth, isNumber)
  const maxima = toMaxima(table)

  const elements: Graphic[] = []
  const drawRow = (cellTexts: readonly string[], y: number, look: RowLook) => {
    let x = PADDING
    for (const [at, width] of widths.entries()) {
      const right = isNumber[at] ?? false
      const gap = at === widths.length - 1 ? 0 : PADDING
      const style = { ...table, palette, column: columns[at] }
      const behind = toCellLook(look.row?.[at], maxima[at] ?? 0, style)
      if (behind) {
        const box = { x, y: y - ROW / 2 + 3, height: ROW - 5, radius: 3 }
        const length = (width - gap) * Math.max(0.01, behind.share)
        elements.push(drawBox({ ...box, width: length, fill: behind.fill }))
      }
      const inset = behind ? 6 : 0
      elements.push(
        drawText(cellTexts[at] ?? '', {
          x: right ? x + width - gap - inset : x,
          y,
          fill: behind?.ink ?? look.fill,
          width: width - gap,
          weight: look.weight,
          align: right ? 'right' : 'left',
        }),
      )
      x += width
    }
  }
  const drawLine = (y: number) =>
    elements.push(drawBox({ x: PADDING, y, width: tableWidth, height: 1, fill: palette.hairline }))

  drawRow(names, ROW / 2, { fill: palette.dimmed, weight: 500 })
  for (const [at, row] of texts.entries()) {
    const top = ROW * (at + 1)
    drawLine(top)
    drawRow(row, top + ROW / 2, { fill: palette.text, weight: 400, row: body[at] ?? [] })
  }
  if (total) {
    const top = ROW * (texts.length + 1)
    drawLine(top)
    drawRow(toTexts(total), top + ROW / 2, { fill: palette.text, weight: 600 })
  }
  const foot = toOmittedText(rows.length - body.length, columns.length - widths.length)
  if (foot) {
    const y = frame.height - 12
    elements.push(drawText(foot, { x: PADDING, y, fill: palette.dimmed, size: 11 }))
  }
  return elements
}

interface RowLook {
  readonly fill: string
  readonly weight: 400 | 500 | 600
  /** The values, if bars or colors are drawn behind them. */
  readonly row?: readonly unknown[]
}

function toOmittedText(rows: number, columns: number): string {
  const parts = [
    rows > 0 ? pluralize(rows, 'more row') : '',
    columns > 0 ? pluralize(columns, 'more column') : '',
  ].filter(Boolean)
  return parts.length > 0 ? `and ${parts.join(', ')}` : ''
}

/** Computes the widths of as many columns as fit. Numbers get their full width; texts share the rest, truncated. */
function columnWidths(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  tableWidth: number,
  isNumber: readonly boolean[],
): number[] {
  const wanted = columns.map((name, at) => {
    const longest = rows.reduce((most, row) => Math.max(most, row[at]?.length ?? 0), name.length)
    return Math.min(longest * CHARACTER_WIDTH + PADDING + 4, tableWidth / 2)
  })
  const needed = wanted.map((width, at) => (isNumber[at] ? width : Math.min(width, MIN_TEXT)))
  let count = 0
  let used = 0
  while (count < columns.length && (count === 0 || used + (needed[count] ?? 0) <= tableWidth)) {
    used += needed[count++] ?? 0
  }
  const lacking = wanted.slice(0, count).map((width, at) => width - (needed[at] ?? 0))
  const lack = lacking.reduce((sum, width) => sum + width, 0)
  const spare = Math.max(0, tableWidth - used)
  const beyond = Math.max(0, spare - lack) / count
  const share = lack > 0 ? Math.min(1, spare / lack) : 0
  return lacking.map((width, at) => (needed[at] ?? 0) + width * share + beyond)
}
