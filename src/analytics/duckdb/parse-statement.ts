import type { DuckDBConnection } from '@duckdb/node-api'
import { untilItSucceeds } from '#server/concurrency.ts'
import { giveWay } from '#server/turns.ts'
import { loadDuckDb } from './load.ts'

/** An empty database without access to files or networks, used with every event store. */
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

export interface ParserOutput<Tree> {
  readonly error: boolean
  readonly error_type?: string
  readonly error_message?: string
  readonly position?: string
  readonly statements?: readonly { readonly node?: Tree }[]
}

const getConnection = untilItSucceeds(open)
let parsing: Promise<unknown> = Promise.resolve()

/**
 * Parses SELECTs, one text at a time, because a connection runs one statement at a time. Throws a `SyntaxError` for a
 * number that JSON cannot hold, such as 1e400.
 */
export function parseStatement<Tree>(text: string): Promise<ParserOutput<Tree>> {
  const turn = parsing.then(async () => {
    const connection = await getConnection()
    const reader = await connection.runAndReadAll(SERIALIZE, [text])
    await giveWay() // the tree of 20,000 characters has megabytes of JSON
    return JSON.parse(String(reader.getRows()[0]?.[0]), withoutEmpty)
  })
  parsing = turn.catch(() => {})
  return turn
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

async function open(): Promise<DuckDBConnection> {
  const { DuckDBInstance } = await loadDuckDb()
  const instance = await DuckDBInstance.create(':memory:', SETTINGS)
  const connection = await instance.connect()
  for (const statement of LOCK) await connection.run(statement)
  return connection
}
