import type { DuckDBConnection } from '@duckdb/node-api'
import { loadDuckDb } from '#server/analytics/duckdb/load.ts'
import { giveWay } from '#server/turns.ts'
import { refuse } from './errors.ts'
import { fillPlaceholders, type PlaceholderValues } from './placeholders.ts'
import { toDuckDbSource } from './source.ts'
import type { ParsedQuery } from './tree.ts'

const MAX_LENGTH = 20_000

/** An empty database without access to files or networks, used with either event store. */
const SETTINGS = {
  memory_limit: '64MB',
  threads: '1',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
}

/** Locks the database down; the last setting forbids further changes. */
const LOCK = [
  "set temp_directory = ''",
  'set enable_external_access = false',
  'set lock_configuration = true',
]

const SERIALIZE =
  'select json_serialize_sql($1::varchar, skip_null := true, skip_empty := false, format := false)'

let opening: Promise<DuckDBConnection> | undefined
let parsing: Promise<unknown> = Promise.resolve()

/** Parses a text as one SELECT and fills its placeholders. The text itself is not used after this. */
export async function parseTree(text: string, values: PlaceholderValues): Promise<ParsedQuery> {
  if (text.length > MAX_LENGTH) {
    throw refuse(`The query is longer than ${MAX_LENGTH.toLocaleString('en')} characters.`)
  }
  const source = toDuckDbSource(text)
  const output = await serialize(source.text)
  await giveWay()
  if (output.error) throw refuse(toSentence(output, source))
  const statements = output.statements ?? []
  const node = statements[0]?.node
  if (statements.length !== 1 || !node) {
    throw refuse('Exactly one SELECT is needed. Send several queries one by one.')
  }
  return fillPlaceholders(node, values)
}

interface ParserOutput {
  readonly error: boolean
  readonly error_type?: string
  readonly error_message?: string
  readonly position?: string
  readonly statements?: readonly { readonly node?: ParsedQuery }[]
}

function toSentence(output: ParserOutput, source: ReturnType<typeof toDuckDbSource>): string {
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
function toParserOutput(json: string): ParserOutput {
  try {
    return JSON.parse(json, withoutEmpty)
  } catch {
    throw refuse('A number is too large.')
  }
}

/**
 * Drops empty texts and lists, which stand for absent parts. An empty `value` has a meaning, and so has an empty item
 * of a list: it marks a `rollup`.
 */
function withoutEmpty(this: unknown, key: string, value: unknown): unknown {
  if (Array.isArray(this) || key === 'value') return value
  const isEmpty = value === '' || (Array.isArray(value) && value.length === 0)
  return isEmpty ? undefined : value
}

/** Runs one statement at a time, because a connection runs only one. */
function serialize(text: string): Promise<ParserOutput> {
  const turn = parsing.then(async () => {
    opening ??= open().catch((error) => {
      opening = undefined
      throw error
    })
    const reader = await (await opening).runAndReadAll(SERIALIZE, [text])
    await giveWay() // the tree of 20,000 characters has megabytes of JSON
    return toParserOutput(String(reader.getRows()[0]?.[0]))
  })
  parsing = turn.catch(() => {})
  return turn
}

async function open(): Promise<DuckDBConnection> {
  const { DuckDBInstance } = await loadDuckDb()
  const instance = await DuckDBInstance.create(':memory:', SETTINGS)
  const connection = await instance.connect()
  for (const statement of LOCK) await connection.run(statement)
  return connection
}
