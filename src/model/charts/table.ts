import type { Drawing, Frame } from '../chart.ts'
import { paletteOf } from '../palette.ts'
import { pluralize } from '../pluralize.ts'
import { drawBox, drawing, drawText, type Graphic } from './parts.ts'

const ROW = 26
const PADDING = 12
/** The minimum width of truncated text. */
const MIN_TEXT = 96
const CHARACTER_WIDTH = 7

/** Draws a table. The footer counts the rows and columns that do not fit. */
export function drawTable(
  frame: Frame,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  isNumber: readonly boolean[],
): Drawing {
  const palette = paletteOf(frame.scheme)
  const tableWidth = frame.width - 2 * PADDING
  const rowsThatFit = Math.max(1, Math.floor((frame.height - ROW - 24) / ROW))
  const body = rows.slice(0, rowsThatFit)
  const widths = columnWidths(columns, body, tableWidth, isNumber)
  const head = columns.slice(0, widths.length)

  const elements: Graphic[] = []
  const drawRow = (cells: readonly string[], y: number, isHead: boolean) => {
    let x = PADDING
    for (const [at, width] of widths.entries()) {
      const right = isNumber[at] ?? false
      const gap = at === widths.length - 1 ? 0 : PADDING
      elements.push(
        drawText(cells[at] ?? '', {
          x: right ? x + width - gap : x,
          y,
          fill: isHead ? palette.dimmed : palette.text,
          width: width - gap,
          weight: isHead ? 500 : 400,
          align: right ? 'right' : 'left',
        }),
      )
      x += width
    }
  }

  drawRow(head, ROW / 2, true)
  for (const [at, row] of body.entries()) {
    const top = ROW * (at + 1)
    const line = { x: PADDING, y: top, width: tableWidth, height: 1 }
    elements.push(drawBox({ ...line, fill: palette.hairline }))
    drawRow(row, top + ROW / 2, false)
  }
  const foot = toOmittedText(rows.length - body.length, columns.length - head.length)
  if (foot) {
    const y = frame.height - 12
    elements.push(drawText(foot, { x: PADDING, y, fill: palette.dimmed, size: 11 }))
  }
  const summary = `${pluralize(rows.length, 'row')} and ${pluralize(columns.length, 'column')}.`
  return { ...drawing(frame, elements), summary }
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
