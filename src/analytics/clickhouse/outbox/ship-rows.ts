import { type RawBuilder, sql } from 'kysely'
import { toRunner } from '#server/analytics/postgres/runner.ts'
import { toPropertiesText } from '#server/analytics/properties-text.ts'
import { toField } from '#server/db/copy-rows.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import type { ClickHouse } from '../connection.ts'
import { markLongNumbers } from '../long-numbers.ts'
import { columnNames, VERSIONED_TABLES, type VersionedTable } from '../tables.ts'
import { expireMissed } from './missed.ts'
import { ROW_KEYS } from './outbox-tables.ts'

/** The rows of one transaction; each has at most 32 kB. */
const STEP = 2000

interface Key {
  readonly source: VersionedTable
  readonly project_id: number
  readonly number: number | null
  readonly name: string | null
}

type Row = Readonly<Record<string, string | number | boolean | null>>

/**
 * Sends persons, groups and moves that changed so far, as they are now. Sending one again does no harm: the last version
 * counts. Nothing is sent during a rebuild, so that queries see persons as they were.
 */
export async function shipRows(
  db: Db,
  clickHouse: ClickHouse,
  signal?: AbortSignal,
): Promise<void> {
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(id), 0) as last from outbox_rows`.execute(db)
  const upTo = rows[0]?.last ?? 0
  for (let hasMore = true; hasMore; ) {
    signal?.throwIfAborted()
    hasMore = await db.transaction().execute((tx) => shipStep(tx, clickHouse, upTo))
  }
}

/** Sends some of the rows up to a number. Returns whether there may be more. */
async function shipStep(tx: Tx, clickHouse: ClickHouse, upTo: number): Promise<boolean> {
  // taken before the rows are read, so that of two versions the later one has the later rows
  const { rows: versions } = await sql<{ version: number }>`
    select nextval('outbox_versions') as version from event_store where persons_up_to is null`.execute(
    tx,
  )
  const [{ version } = { version: undefined }] = versions
  if (version === undefined) return false
  const keys = await takeKeys(tx, upTo)
  if (keys.length === 0) return false
  for (const table of VERSIONED_TABLES) {
    const changed = keys.filter(({ source }) => source === table)
    if (changed.length === 0) continue
    const columns = columnNames(table)
    const rows = await readRows(tx, table, changed)
    const lines = rows.map((row) => toLine(columns, { ...row, version }))
    await clickHouse.insert(table, columns, lines)
  }
  await expireMissed(tx, [...new Set(keys.map(({ project_id }) => project_id))])
  return true
}

async function takeKeys(tx: Tx, upTo: number): Promise<readonly Key[]> {
  const { rows } = await sql<Key>`
    with taken as (
      delete from outbox_rows where id = any(array(
        select id from outbox_rows where id <= ${upTo} order by id limit ${sql.lit(STEP)}))
      returning *
    )
    select distinct source, project_id, number, name from taken`.execute(tx)
  return rows
}

/** Reads rows by their keys. One that is gone has only its key, and is marked as deleted. */
async function readRows(tx: Tx, table: VersionedTable, keys: readonly Key[]): Promise<Row[]> {
  const { number, name } = ROW_KEYS[table]
  const given = await toRunner(tx).given(
    'given',
    { key_project: 'bigint', key_number: 'bigint', key_name: 'text' },
    keys.map((key) => [key.project_id, key.number, key.name]),
  )
  const ofKey: Readonly<Record<string, string>> = {
    project_id: 'key_project',
    ...(number && { [number]: 'key_number' }),
    ...(name && { [name]: 'key_name' }),
  }
  const isSame = Object.entries(ofKey).map(([column, key]) => `stored.${column} = ${key}`)
  const columns = columnNames(table)
    .filter((column) => !['version', 'is_deleted'].includes(column))
    .map((column) => toSelected(column, ofKey[column]))
  const { rows } = await sql<Row>`
    select ${sql.join(columns)}, (stored.project_id is null)::integer as is_deleted
    from ${given} left join ${sql.table(table)} as stored on ${sql.raw(isSame.join(' and '))}`.execute(
    tx,
  )
  return rows
}

function toSelected(column: string, key: string | undefined): RawBuilder<unknown> {
  if (key) return sql.raw(`${key} as ${column}`)
  if (column.endsWith('_at'))
    return sql.raw(`floor(extract(epoch from stored.${column}) * 1000)::bigint as ${column}`)
  return sql.raw(column === 'properties' ? 'stored.properties::text' : `stored.${column}`)
}

/** ClickHouse takes a NULL where there can be none for the type's default. */
const toLine = (columns: readonly string[], row: Row): string =>
  `${columns.map((column) => toField(toText(column, row[column] ?? null))).join('\t')}\n`

/** Writes properties as the embedded store does: PostgreSQL has its own order of keys and its own spaces. */
function toText(column: string, value: Row[string]): string | null {
  if (value === null || value === undefined) return null
  if (column !== 'properties') return String(value)
  return markLongNumbers(toPropertiesText(JSON.parse(value as string)))
}
