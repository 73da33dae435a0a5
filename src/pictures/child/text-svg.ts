import { toLabel } from '#model/format.ts'
import { FONT, paletteOf } from '#model/palette.ts'
import { escapeHtml } from '#server/html/html.ts'
import { textWidth, type Weight } from './fonts.ts'
import { type TextLine, type TextSpan, toTextLines } from './markdown.ts'
import { truncateToWidth } from './sheet.ts'
import type { TileBox } from './tile-svg.ts'

const PADDING = 16
const LINE = 20
const INDENT = 18

const toFontSize = ({ isHeading }: TextLine): number => (isHeading ? 15 : 13)
const toWeight = (isBold: boolean): Weight => (isBold ? 600 : 400)

/** Draws the Markdown of a text tile: headings, bold text and lists. An ellipsis ends a text that does not fit. */
export function markdownSvg(markdown: string, { width, height, scheme }: TileBox): string {
  const palette = paletteOf(scheme)
  const maxLines = Math.max(1, Math.floor((height - 2 * PADDING + 6) / LINE))
  const wrapped = toTextLines(markdown)
    .slice(0, maxLines + 1)
    .flatMap((line) => wrapLine(line, width - 2 * PADDING, maxLines + 1))
  const lines = wrapped.slice(0, maxLines)
  if (wrapped.length > maxLines) lines.push(withEllipsis(lines.pop() as TextLine))
  return lines
    .map((line, at) => {
      const y = PADDING + 12 + at * LINE
      const left = PADDING + line.indent * INDENT
      const text = (x: number, spans: readonly TextSpan[]) =>
        `<text x="${x}" y="${y}" font-family="${FONT}" font-size="${toFontSize(line)}px" fill="${palette.text}">${spans.map(toTspan).join('')}</text>`
      const mark = line.mark ? text(left - INDENT, [{ text: line.mark, isBold: false }]) : ''
      return `${mark}${line.spans.length > 0 ? text(left, line.spans) : ''}`
    })
    .join('')
}

const toTspan = ({ text, isBold }: TextSpan): string =>
  `<tspan font-weight="${toWeight(isBold)}">${escapeHtml(text)}</tspan>`

const withEllipsis = (line: TextLine): TextLine => ({
  ...line,
  spans: [...line.spans, { text: ' …', isBold: false }],
})

/** Wraps a line at spaces; only the first part keeps the mark. */
function wrapLine(line: TextLine, tileWidth: number, maxLines: number): TextLine[] {
  if (line.spans.length === 0) return [line]
  const size = toFontSize(line)
  const width = tileWidth - line.indent * INDENT
  const rows: TextSpan[][] = [[]]
  let used = 0
  for (const word of toWords(line.isHeading ? line.spans.map(toBold) : line.spans)) {
    const needed = word.reduce(
      (sum, { text, isBold }) => sum + textWidth(text, size, toWeight(isBold)),
      0,
    )
    const space = textWidth(' ', size, 400)
    const isNewRow = used > 0 && used + space + needed > width
    if (isNewRow) rows.push([])
    if (rows.length > maxLines) break
    const row = rows.at(-1) as TextSpan[]
    if (row.length > 0) row.push({ text: ' ', isBold: false })
    row.push(...(needed > width ? word.map((span) => cut(span, width, size)) : word))
    used = isNewRow || used === 0 ? needed : used + space + needed
  }
  const { mark: _, ...rest } = line
  return rows.map((spans, at) => ({ ...(at === 0 ? line : rest), spans: joinSpans(spans) }))
}

const toBold = ({ text }: TextSpan): TextSpan => ({ text, isBold: true })

const cut = ({ text, isBold }: TextSpan, width: number, size: number): TextSpan => ({
  text: truncateToWidth(text, width, size, toWeight(isBold)),
  isBold,
})

/** Splits at spaces. A word consists of several spans if a part of it is bold. */
function toWords(spans: readonly TextSpan[]): TextSpan[][] {
  const words: TextSpan[][] = [[]]
  for (const { text, isBold } of spans) {
    for (const [at, part] of text.slice(0, 4000).split(/\s+/).entries()) {
      if (at > 0) words.push([])
      if (part !== '') words.at(-1)?.push({ text: toLabel(part), isBold })
    }
  }
  return words.filter((word) => word.length > 0)
}

function joinSpans(spans: readonly TextSpan[]): TextSpan[] {
  const joined: TextSpan[] = []
  for (const span of spans) {
    const last = joined.at(-1)
    if (last && (last.isBold === span.isBold || span.text === ' ')) {
      joined[joined.length - 1] = { text: last.text + span.text, isBold: last.isBold }
    } else {
      joined.push(span)
    }
  }
  return joined
}
