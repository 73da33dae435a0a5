import { Lexer, type Token, type Tokens } from 'marked'
import { unlessTooDeep } from '#model/unless-too-deep.ts'

/** A piece of a line in one weight. */
export interface TextSpan {
  readonly text: string
  readonly isBold: boolean
}

/** A line of text without its Markdown. */
export interface TextLine {
  readonly spans: readonly TextSpan[]
  readonly isHeading: boolean
  /** The depth in lists. */
  readonly indent: number
  /** The bullet or number of a list item, drawn before its first line. */
  readonly mark?: string
}

/** Much more than a tile can show. */
const MAX_LENGTH = 20_000

/** Converts Markdown to lines of text. Pictures have no links and no slanted or monospaced font. */
export function toTextLines(markdown: string): TextLine[] {
  const source = markdown.slice(0, MAX_LENGTH)
  return unlessTooDeep(
    () => toLines(new Lexer({ gfm: true }).lex(source)),
    () => splitLines([{ text: source, isBold: false }]),
  )
}

/** Starts a new line at each line break, and trims the lines. */
function splitLines(spans: readonly TextSpan[], isHeading = false): TextLine[] {
  const lines: TextSpan[][] = [[]]
  for (const { text, isBold } of spans) {
    for (const [at, part] of text.split(/\r\n|\r|\n/).entries()) {
      if (at > 0) lines.push([])
      if (part !== '') lines.at(-1)?.push({ text: part, isBold })
    }
  }
  return lines.map((line) => ({ spans: trim(line), isHeading, indent: 0 }))
}

const trim = (line: readonly TextSpan[]): TextSpan[] =>
  line
    .map(({ text, isBold }, at) => {
      const started = at === 0 ? text.trimStart() : text
      return { text: at === line.length - 1 ? started.trimEnd() : started, isBold }
    })
    .filter(({ text }) => text !== '')

const BLANK: TextLine = { spans: [], isHeading: false, indent: 0 }

/** Keeps one blank line between blocks that the author separated. */
function toLines(blocks: readonly Token[]): TextLine[] {
  const lines: TextLine[] = []
  for (const block of blocks) {
    lines.push(...toBlockLines(block))
    if (/\n\s*\n$/.test(block.raw) && lines.at(-1) !== BLANK) lines.push(BLANK)
  }
  return lines
}

function toBlockLines(block: Token): TextLine[] {
  switch (block.type) {
    case 'space':
    case 'hr':
    case 'def':
      return []
    case 'heading':
      return splitLines(toSpans(block), true)
    case 'blockquote':
      return toLines((block as Tokens.Blockquote).tokens)
    case 'list':
      return toListLines(block as Tokens.List)
    case 'table':
      return toTableLines(block as Tokens.Table)
    case 'code':
      return splitLines([{ text: (block as Tokens.Code).text, isBold: false }])
    default:
      return splitLines(toSpans(block))
  }
}

const toListLines = ({ items, ordered, start }: Tokens.List): TextLine[] =>
  items.flatMap(({ tokens, task, checked }, index) => {
    const bullet = ordered ? `${Number(start) + index}.` : '•'
    const box = task ? (checked ? '[x] ' : '[ ] ') : ''
    const content = tokens.filter(({ type }) => type !== 'checkbox')
    const [first = BLANK, ...others] = toLines(content).filter((line) => line !== BLANK)
    const spans = box === '' ? first.spans : [{ text: box, isBold: false }, ...first.spans]
    return [{ mark: bullet, ...first, spans }, ...others].map((line) => ({
      ...line,
      indent: line.indent + 1,
    }))
  })

/** Separates cells by a bar. The header is bold. */
const toTableLines = ({ header, rows }: Tokens.Table): TextLine[] =>
  [header, ...rows].flatMap((cells, row) =>
    splitLines(
      cells.flatMap(({ tokens }, at) => [
        ...(at === 0 ? [] : [{ text: ' | ', isBold: false }]),
        ...tokens.flatMap((token) => toSpans(token, row === 0)),
      ]),
    ),
  )

/** Flattens nested tokens; an image contributes its description. */
function toSpans(token: Token, isBold = false): TextSpan[] {
  if (token.type === 'br') return [{ text: '\n', isBold }]
  if (!('text' in token)) return [{ text: token.raw, isBold }]
  const { tokens, text } = token as Tokens.Generic & { text: string }
  if (!tokens) return [{ text, isBold }]
  return tokens.flatMap((child) => toSpans(child, isBold || token.type === 'strong'))
}
