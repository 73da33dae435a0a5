import type { StreamParser, StringStream } from '@codemirror/language'

const KEYWORDS = new Set(
  'as async await break case catch class const continue default delete do else export extends finally for from function if import in instanceof interface let new of readonly return static switch this throw try type typeof var void while yield'.split(
    ' ',
  ),
)
const ATOMS = new Set(['true', 'false', 'null', 'undefined'])

/** State carried over line ends: an open comment or template literal. */
interface ScriptState {
  until: '*/' | '`' | null
}

/** Enough of TypeScript and JSON for syntax colors. */
export const script: StreamParser<ScriptState> = {
  name: 'script',
  startState: () => ({ until: null }),
  token(stream, state) {
    if (state.until) {
      const style = state.until === '`' ? 'string' : 'comment'
      if (skipPast(stream, state.until)) state.until = null
      return style
    }
    if (stream.eatSpace()) return null
    if (stream.match('//')) {
      stream.skipToEnd()
      return 'comment'
    }
    if (stream.match('/*')) {
      if (!skipPast(stream, '*/')) state.until = '*/'
      return 'comment'
    }
    const quote = stream.match(/^["'`]/) ? stream.current() : undefined
    if (quote) {
      if (!skipPast(stream, quote) && quote === '`') state.until = '`'
      return 'string'
    }
    if (stream.match(/^\d[\w.]*/)) return 'number'
    if (stream.match(/^[\w$]+/)) return toStyle(stream.current())
    stream.next()
    return null
  },
  languageData: { commentTokens: { line: '//', block: { open: '/*', close: '*/' } } },
}

function toStyle(word: string): string | null {
  if (KEYWORDS.has(word)) return 'keyword'
  if (ATOMS.has(word)) return 'atom'
  return /^[A-Z]/.test(word) ? 'typeName' : null
}

/** Skips past `end`; false if the line ends first. A backslash escapes the next character. */
function skipPast(stream: StringStream, end: string): boolean {
  while (!stream.eol()) {
    if (stream.match(end)) return true
    if (stream.next() === '\\' && end !== '*/') stream.next()
  }
  return false
}
