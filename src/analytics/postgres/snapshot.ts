import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { readCursor } from '#server/db/read-cursor.ts'
import type { Tx } from '#server/db/schema.ts'
import { OperatorError } from '#server/errors.ts'
import type { Parquet, PortableRow, PortableValue } from '../duckdb/parquet.ts'
import {
  columnsOf,
  type EventSnapshot,
  emptySnapshot,
  LONG_TEXTS,
  MAX_PART_BYTES,
  MAX_PART_ROWS,
  type Part,
  PORTABLE_TABLE_NAMES,
  PORTABLE_TABLES,
  type PortableTable,
} from '../portable-tables.ts'
import { toPropertiesText } from '../properties-text.ts'
import { hasEventTables } from './tables.ts'

/** Rows of the usual size are a fraction of a part, and the largest ones a few. */
const ROWS_PER_FETCH = 100
/** DuckDB takes as long for a few rows as for a thousand. */
const ROWS_PER_GROUP = 1000

/** Reads in the given transaction, which sees one moment of the whole database, and writes parts into a folder. */
export async function openSnapshot(
  tx: Tx,
  parquet: Parquet,
  folder: string,
): Promise<EventSnapshot> {
  if (!(await hasEventTables(tx))) return emptySnapshot()
  await requireComplete(tx)
  const counts = {} as Record<PortableTable, number>
  for (const table of PORTABLE_TABLE_NAMES) counts[table] = await countRows(tx, table)
  const readers = new Map<PortableTable, AsyncGenerator<Group>>()
  let number = 0

  async function nextPart(table: PortableTable): Promise<Part | undefined> {
    const reader = readers.get(table) ?? readGroups(tx, table)
    readers.set(table, reader)
    const path = join(folder, `${++number}.parquet`)
    const rows = await parquet.write(table, takePart(reader), path)
    return rows === 0 ? undefined : { path, rows }
  }

  return { counts, nextPart, close: async () => {} }
}

/** A rebuild deletes the persons first, so a backup of that moment would lack some. */
async function requireComplete(tx: Tx): Promise<void> {
  const { rows } = await sql`
    select 1 from event_store where persons_up_to is not null or facts_up_to is not null`.execute(
    tx,
  )
  if (rows.length === 0) return
  throw new OperatorError('Persons are being derived again. Back up when that is done.')
}

export async function countRows(tx: Tx, table: PortableTable): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Rows, and the length of their long texts. */
interface Group {
  readonly rows: PortableRow[]
  readonly size: number
}

/** Takes groups until a part is full. The reader stays open for the next part. */
async function* takePart(reader: AsyncGenerator<Group>): AsyncGenerator<PortableRow[]> {
  let [count, size] = [0, 0]
  while (count < MAX_PART_ROWS && size <= MAX_PART_BYTES) {
    const { value: group } = await reader.next()
    if (!group) return
    yield group.rows
    count += group.rows.length
    size += group.size
  }
}

async function* readGroups(tx: Tx, table: PortableTable): AsyncGenerator<Group> {
  const columns = columnsOf(table)
  const long = LONG_TEXTS.map((name) => columns.indexOf(name)).filter((index) => index !== -1)
  const fetched = readCursor<Record<string, PortableValue>>(
    tx,
    `backup_${table}`,
    select(table),
    ROWS_PER_FETCH,
  )
  let group: PortableRow[] = []
  let size = 0
  for await (const rows of fetched) {
    for (const row of rows) {
      const values = columns.map((name) => toValue(name, row[name] ?? null))
      group.push(values)
      for (const index of long) size += String(values[index] ?? '').length
    }
    if (group.length >= ROWS_PER_GROUP || size > MAX_PART_BYTES) {
      yield { rows: group, size }
      group = []
      size = 0
    }
  }
  if (group.length > 0) yield { rows: group, size }
}

/** PostgreSQL has its own order of keys and spaces in JSON, the embedded store those of `toPropertiesText`. */
const toValue = (name: string, value: PortableValue): PortableValue =>
  name === 'properties' ? toPropertiesText(JSON.parse(value as string)) : value

const EXPRESSIONS: Record<string, (name: string) => string> = {
  timestamptz: (name) =>
    `to_char(${name} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as ${name}`,
  uuid: (name) => `${name}::text as ${name}`,
}

function select(table: PortableTable): RawBuilder<unknown> {
  const types: Record<string, string> = PORTABLE_TABLES[table]
  const columns = columnsOf(table).map((name) => {
    if (name === 'properties') return 'properties::text as properties'
    if (name === 'after_seq') return 'seq as after_seq'
    return EXPRESSIONS[types[name] as string]?.(name) ?? name
  })
  return sql.raw(`select ${columns.join()} from ${toSource(table)}`)
}

/** Events are in their order of arrival, which facts have. */
const toSource = (table: PortableTable): string =>
  table === 'events'
    ? `(select events.*, seq from events join facts using (project_id, timestamp, uuid)) events order by seq`
    : table
