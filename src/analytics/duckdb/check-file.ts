import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import type { DuckDBConnection } from '@duckdb/node-api'
import { damagedEvents, missingEvents, newerEvents } from '../damaged-events.ts'
import { type Installation, requireOwnEvents } from '../installation.ts'
import { DUCKDB_SCHEMA } from '../schema-versions.ts'

const DAMAGE =
  /not a valid DuckDB database file|Corrupt|checksum|Could not read|replaying WAL|Serialization Error|INTERNAL Error/

/** Tells whether DuckDB's message reports damaged files. */
export const isDamage = (message: string): boolean => DAMAGE.test(message)

/** Tells whether DuckDB's message reports a file of a later DuckDB. */
export const isNewerFormat = (message: string): boolean =>
  /database file with version number/.test(message)

export const toFirstLine = (message: string): string => message.split('\n', 1)[0] ?? ''

/** Throws if the file is gone, empty, or its write-ahead log does not begin like one. */
export function requireFile(path: string, { has_events }: Installation): void {
  if (has_events === 1 && !existsSync(path)) throw missingEvents(path)
  if (has_events === 1 && statSync(path).size === 0) throw damagedEvents(path, 'the file is empty')
  if (!isLog(`${path}.wal`)) throw damagedEvents(path, 'the write-ahead log is not one')
}

/** DuckDB writes three blocks of headers one after the other. Data comes after them. */
const HEADERS_SIZE = 3 * 4096

export const isWithoutHeaders = (path: string): boolean =>
  (statSync(path, { throwIfNoEntry: false })?.size ?? HEADERS_SIZE) < HEADERS_SIZE

/** The first entry of a log is its version. DuckDB ignores a log without it, which would lose the newest events. */
const LOG_START = Buffer.from([0x64, 0x00, 0x62])

function isLog(path: string): boolean {
  if (!existsSync(path)) return true
  const start = Buffer.alloc(LOG_START.length)
  const file = openSync(path, 'r')
  const length = readSync(file, start)
  closeSync(file)
  return LOG_START.subarray(0, length).equals(start.subarray(0, length)) // a crash may have truncated it
}

/** Throws if a newer version has stored the events. Reads before anything is written. */
export async function requireKnownSchema(
  connection: DuckDBConnection,
  path: string,
): Promise<void> {
  if (!(await listColumns(connection, 'meta')).includes('schema_version')) return
  const version = await readCell(connection, 'select schema_version from meta')
  if (Number(version) > DUCKDB_SCHEMA) throw newerEvents(path)
}

/** Reads the marker before anything is written. */
export async function requireOwnFile(
  connection: DuckDBConnection,
  path: string,
  installation: Installation,
): Promise<void> {
  const columns = await listColumns(connection, 'meta')
  const hasEvents = (await listColumns(connection, 'events')).length > 0
  if (installation.has_events === 1 && !hasEvents) {
    throw damagedEvents(path, 'it has no table of events')
  }
  const isEmpty =
    !hasEvents || (await readCell(connection, 'select 1 from events limit 1')) === null
  const id = columns.includes('installation')
    ? ((await readCell(connection, 'select installation from meta')) as string | null)
    : null
  requireOwnEvents(installation, { id, isEmpty }, path)
}

async function listColumns(connection: DuckDBConnection, table: string): Promise<unknown[]> {
  const reader = await connection.runAndReadAll(
    "select column_name from duckdb_columns() where database_name = 'store' and table_name = $table",
    { table },
  )
  return reader.getRows().map(([name]) => name)
}

async function readCell(connection: DuckDBConnection, statement: string): Promise<unknown> {
  return (await connection.runAndReadAll(statement)).getRows()[0]?.[0] ?? null
}
