import { type ParserOutput, parseStatement } from '#server/analytics/duckdb/parse-statement.ts'
import { giveWay } from '#server/turns.ts'
import { refuse } from './errors.ts'
import { fillPlaceholders, type PlaceholderValues } from './placeholders.ts'
import { toDuckDbSource } from './source.ts'
import type { ParsedQuery } from './tree.ts'

const MAX_LENGTH = 20_000

/** Parses a text as one SELECT and fills its placeholders. The text itself is not used after this. */
export const parseTree = async (text: string, values: PlaceholderValues): Promise<ParsedQuery> =>
  fillPlaceholders(await parseText(text), values)

/** Parses a text as one SELECT. Its placeholders are columns. */
export async function parseText(text: string): Promise<ParsedQuery> {
  if (text.length > MAX_LENGTH) {
    throw refuse(`The query is longer than ${MAX_LENGTH.toLocaleString('en')} characters.`)
  }
  const source = toDuckDbSource(text)
  const output = await parse(source.text)
  await giveWay()
  if (output.error) throw refuse(toSentence(output, source))
  const statements = output.statements ?? []
  const node = statements[0]?.node
  if (statements.length !== 1 || !node) {
    throw refuse('Exactly one SELECT is needed. Send several queries one by one.')
  }
  return node
}

function toSentence(
  output: ParserOutput<ParsedQuery>,
  source: ReturnType<typeof toDuckDbSource>,
): string {
  if (output.error_type === 'not implemented') {
    return 'Only SELECT is allowed: a query reads events and changes nothing.'
  }
  const message = (output.error_message ?? 'syntax error').split('\n')[0] ?? ''
  if (/expression depth|memory exhausted/.test(message)) {
    return 'The query nests too deeply. Use fewer parentheses, or name steps by WITH.'
  }
  if (output.position === undefined) return `The query cannot be read: ${message}.`
  const place = source.toPlace(Number(output.position))
  return `The query cannot be read: ${message}, at character ${place}.`
}

/** DuckDB writes numbers that JSON cannot hold, such as 1e400, as bare words. */
async function parse(text: string): Promise<ParserOutput<ParsedQuery>> {
  try {
    return await parseStatement(text)
  } catch (error) {
    throw error instanceof SyntaxError ? refuse('A number is too large.') : error
  }
}
