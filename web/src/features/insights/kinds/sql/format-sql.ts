/** Quotes as the server reads them, comments, placeholders, numbers, words and operators stay whole. */
const TOKENS = [
  /e'(?:\\.|''|[^'\\])*'?/,
  /'(?:''|[^'])*'?/,
  /\$(\w*)\$[\s\S]*?\$\1\$/,
  /"(?:""|[^"])*"?/,
  /--[^\n]*/,
  /\/\*[\s\S]*?(?:\*\/|$)/,
  /\{[^}]*\}?/,
  /\d+(?:\.\d+)?(?:e[+-]?\d+)?\b/,
  /[$\w]+/,
  /(?:(?!--|\/\*)[-<>=!|/*+%~^&:?@#])+/,
  /\S/,
]
const TOKEN = new RegExp(TOKENS.map(({ source }) => source).join('|'), 'gi')

/** Words that start a line. The longest come first. */
const CLAUSES = [
  'group by',
  'order by',
  'left join',
  'right join',
  'cross join',
  'inner join',
  'union all',
  'union',
  'except',
  'intersect',
  'select',
  'from',
  'join',
  'where',
  'having',
  'qualify',
  'limit',
  'offset',
  'with',
]
const LISTS = ['select', 'group by', 'order by']
const CONDITIONS = ['where', 'having', 'qualify']

interface Frame {
  readonly isQuery: boolean
  readonly indent: number
  clause: string
}

/** Puts each clause on a line, and each column and condition below it. Changes nothing but space. */
export function formatSql(sql: string): string {
  const tokens = sql.match(TOKEN) ?? []
  const lines: string[] = []
  const frames: Frame[] = [{ isQuery: true, indent: 0, clause: '' }]
  let line = ''
  let isBetween = false
  const endLine = (indent: number) => {
    if (line.trim() !== '') lines.push(line.trimEnd())
    line = '  '.repeat(indent)
  }
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as string
    const frame = frames.at(-1) as Frame
    const clause = frame.isQuery ? clauseAt(tokens, at) : undefined
    if (clause) {
      const count = clause.split(' ').length
      endLine(frame.indent)
      line += tokens.slice(at, at + count).join(' ')
      at += count - 1
      frame.clause = clause
      if (LISTS.includes(clause) && hasSeveral(tokens, at + 1)) endLine(frame.indent + 1)
    } else if (token === '(') {
      line += needsSpace(line, token, tokens[at - 1]) ? ' (' : '('
      const isQuery = /^(select|with)$/i.test(tokens[at + 1] ?? '')
      frames.push({ isQuery, indent: frame.indent + (isQuery ? 1 : 0), clause: '' })
    } else if (token === ')') {
      if (frames.length > 1) frames.pop()
      if (frame.isQuery) endLine((frames.at(-1) as Frame).indent)
      line += ')'
    } else if (token === ',' && frame.isQuery) {
      line += ','
      if (LISTS.includes(frame.clause) || frame.clause === 'with') {
        endLine(frame.indent + (frame.clause === 'with' ? 0 : 1))
      }
    } else if (/^(and|or)$/i.test(token) && CONDITIONS.includes(frame.clause) && !isBetween) {
      endLine(frame.indent + 1)
      line += token
    } else if (token.startsWith('--')) {
      line += line.trim() === '' ? token : ` ${token}`
      endLine(frame.indent + 1)
    } else {
      line += needsSpace(line, token, tokens[at - 1]) ? ` ${token}` : token
    }
    if (/^between$/i.test(token)) isBetween = true
    else if (/^and$/i.test(token)) isBetween = false
  }
  endLine(0)
  return lines.join('\n')
}

function clauseAt(tokens: readonly string[], at: number): string | undefined {
  // a column can have the name of a clause
  if (tokens[at - 1] === '.') return undefined
  return CLAUSES.find((clause) =>
    clause.split(' ').every((word, index) => tokens[at + index]?.toLowerCase() === word),
  )
}

/** Tells whether a list has a comma of its own before the next clause. */
function hasSeveral(tokens: readonly string[], start: number): boolean {
  let depth = 0
  for (let at = start; at < tokens.length && depth >= 0; at++) {
    const token = tokens[at] as string
    if (token === '(') depth++
    else if (token === ')') depth--
    else if (depth === 0 && token === ',') return true
    else if (depth === 0 && clauseAt(tokens, at)) return false
  }
  return false
}

const TIGHT = ['.', '::', '[', ']', ',', ';', ')']

/** Words after which a parenthesis does not start the arguments of a function. */
const NO_FUNCTION =
  /^(and|or|not|in|as|on|over|filter|using|exists|between|case|when|then|else|distinct|select|where|from|by|having|join|union|all|except|intersect)$/i

function needsSpace(line: string, token: string, before: string | undefined): boolean {
  if (before === undefined || /(^|\s)$/.test(line)) return false
  if (TIGHT.includes(token) || ['.', '::', '[', '('].includes(before)) return false
  if (token === '(') return !/^[$\w]+$/.test(before) || NO_FUNCTION.test(before)
  return true
}
