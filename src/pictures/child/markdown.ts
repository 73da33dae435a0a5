import { Lexer, type Token, type Tokens } from 'marked'
import { unlessTooDeep } from '#model/unless-too-deep.ts'

/** A line of text without its Markdown. */
export interface TextLine {
  readonly text: string
  readonly isHeading: boolean
}

/** Much more than a tile can show. */
const MAX_LENGTH = 20_000

/** Converts Markdown to lines of plain text, because pictures have one font and no links. */
export function toPlainLines(markdown: string): TextLine[] {
  const source = markdown.slice(0, MAX_LENGTH)
  return unlessTooDeep(
    () => toLines(new Lexer({ gfm: true }).lex(source)),
    () => toTextLines(source),
  )
}

const toTextLines = (text: string, isHeading = false): TextLine[] =>
  text.split(/\r\n|\r|\n/).map((line) => ({ text: line.trim(), isHeading }))

const BLANK: TextLine = { text: '', isHeading: false }

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
      return toTextLines(toText(block as Tokens.Heading), true)
    case 'blockquote':
      return toLines((block as Tokens.Blockquote).tokens)
    case 'list':
      return toListLines(block as Tokens.List)
    case 'table':
      return toTableLines(block as Tokens.Table)
    case 'code':
      return toTextLines((block as Tokens.Code).text)
    default:
      return toTextLines(toInlineText(block))
  }
}

const toListLines = ({ items, ordered, start }: Tokens.List): TextLine[] =>
  items.flatMap(({ tokens, task, checked }, index) => {
    const mark = ordered ? `${Number(start) + index}.` : '•'
    const box = task ? (checked ? '[x] ' : '[ ] ') : ''
    const content = tokens.filter(({ type }) => type !== 'checkbox')
    const [first = BLANK, ...others] = toLines(content).filter((line) => line !== BLANK)
    return [{ text: `${mark} ${box}${first.text}`, isHeading: first.isHeading }, ...others]
  })

const toTableLines = ({ header, rows }: Tokens.Table): TextLine[] =>
  [header, ...rows].flatMap((cells) => toTextLines(cells.map(toText).join(' | ')))

/** Joins the texts of nested tokens; an image contributes its description. */
function toText(token: { readonly tokens?: Token[] | undefined; readonly text?: string }): string {
  return token.tokens ? token.tokens.map(toInlineText).join('') : (token.text ?? '')
}

function toInlineText(token: Token): string {
  if (token.type === 'br') return '\n'
  return 'text' in token ? toText(token as Tokens.Generic & { text: string }) : token.raw
}
