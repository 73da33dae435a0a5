import type { FilledBox } from '#model/charts/parts.ts'
import { shorten } from '#model/format.ts'
import { FONT } from '#model/palette.ts'
import { escapeHtml } from '#server/html/html.ts'
import { textWidth, type Weight } from './fonts.ts'

/** A finished drawing: its size and the content of its root element. */
export interface Sheet {
  readonly width: number
  readonly height: number
  readonly title: string
  /** One sentence about a chart, read aloud after the title. */
  readonly summary?: string
  readonly content: string
}

/** Pass `sized = false` if the surrounding page sets the size. */
export function toSvg({ width, height, title, summary, content }: Sheet, sized = true): string {
  const size = sized ? ` width="${width}" height="${height}"` : ''
  return `<svg xmlns="http://www.w3.org/2000/svg"${size} viewBox="0 0 ${width} ${height}" role="img"><title>${escapeHtml(title)}</title>${summary ? `<desc>${escapeHtml(summary)}</desc>` : ''}${content}</svg>`
}

interface SheetBox extends FilledBox {
  readonly stroke?: string
}

export const boxSvg = ({ x, y, width, height, fill, radius, stroke }: SheetBox): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"${
    radius ? ` rx="${radius}"` : ''
  }${stroke ? ` stroke="${stroke}"` : ''}/>`

export interface SheetText {
  readonly text: string
  readonly x: number
  /** The baseline. */
  readonly y: number
  readonly size: number
  readonly weight: Weight
  readonly fill: string
  readonly width: number
}

/** Draws text, truncated to `width`. */
export const textSvg = ({ text, x, y, size, weight, fill, width }: SheetText): string =>
  `<text x="${x}" y="${y}" font-family="${FONT}" font-size="${size}px" font-weight="${weight}" fill="${fill}">${escapeHtml(truncateToWidth(text, width, size, weight))}</text>`

/** Truncates a text to a width. */
export function truncateToWidth(text: string, width: number, size: number, weight: Weight): string {
  if (textWidth(text, size, weight) <= width) return text
  let [low, high] = [1, text.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (textWidth(shorten(text, middle), size, weight) <= width) low = middle
    else high = middle - 1
  }
  return shorten(text, low)
}

/** Wraps a text at words into at maxLines `maxLines` lines. */
export function wrapText(text: string, width: number, size: number, maxLines: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && textWidth(longer, size, 400) > width) {
      lines.push(line)
      line = word
    } else {
      line = longer
    }
    if (lines.length === maxLines) return [...lines.slice(0, -1), `${lines.at(-1)}…`]
  }
  return [...lines, line]
}
