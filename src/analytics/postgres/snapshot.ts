import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { readCursor } from '#server/db/read-cursor.ts'
import type { Tx } from '#server/db/schema.ts'
import { OperatorError } from '#server/errors.ts'
import {
  columnsOf,
  countTables,
  type EventSnapshot,
  emptySnapshot,
  MAX_PART_BYTES,
  MAX_PART_ROWS,
  type Part,
  PORTABLE_TABLES,
  type PortableTable,
} from '../portable-tables.ts'
import { toPropertiesText } from '../properties-text.ts'
import { hasEventTables } from './tables.ts'
import { type Cell, toColumns, type Value, writeParquet } from './write-parquet.ts'

/** The longest rows, those of persons with 32 kB of properties, take 3 MB then. */
const ROWS_PER_FETCH = 100
/** The most rows that are in memory at a time, and about the most bytes of their texts. */
const MAX_GROUP_ROWS = 5000
const MAX_GROUP_BYTES = 2 * 1024 * 1024

/** Reads in the given transaction, which sees one moment of the whole database, and writes parts into a folder. */
export async function openSnapshot(tx: Tx, folder: string): Promise<EventSnapshot> {
  if (!(await hasEventTables(tx))) return emptySnapshot()
  await requireComplete(tx)
  const counts = await countTables((table) => countRows(tx, table))
  const readers = new Map<PortableTable, AsyncGenerator<Group>>()
  let number = 0

  async function nextPart(table: PortableTable): Promise<Part | undefined> {
    const reader = readers.get(table) ?? readGroups(tx, table)
    readers.set(table, reader)
    const path = join(folder, `${++number}.parquet`)
    const rows = await writeParquet(table, takePart(reader), path)
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

/** Rows, by column, and the length of their texts. */
interface Group {
  readonly columns: Cell[][]
  rows: number
  size: number
}

const emptyGroup = (columns: readonly unknown[]): Group => ({
  columns: columns.map(() => []),
  rows: 0,
  size: 0,
})

/** Takes groups until a part is full. The reader stays open for the next part. */
async function* takePart(reader: AsyncGenerator<Group>): AsyncGenerator<Cell[][]> {
  let [count, size] = [0, 0]
  while (count < MAX_PART_ROWS && size <= MAX_PART_BYTES) {
    const { value: group } = await reader.next()
    if (!group) return
    yield group.columns
    count += group.rows
    size += group.size
  }
}

async function* readGroups(tx: Tx, table: PortableTable): AsyncGenerator<Group> {
  const columns = toColumns(table)
  let group = emptyGroup(columns)
  for await (const rows of readCursor<Row>(tx, `backup_${table}`, select(table), ROWS_PER_FETCH)) {
    for (const row of rows) {
      if (row.whole_at != null) row.whole = await readFull(tx, row)
      for (const [index, { name, toCell }] of columns.entries()) {
        const cell = toCell(toValue(name, row[name] ?? null))
        group.columns[index]?.push(cell)
        if (typeof cell === 'string') group.size += cell.length
      }
      if (++group.rows < MAX_GROUP_ROWS && group.size <= MAX_GROUP_BYTES) continue
      yield group
      group = emptyGroup(columns)
    }
  }
  if (group.rows > 0) yield group
}

type Row = Record<string, Value>

/** Full properties are read one by one: those of all rows of a fetch could have 100 MB. */
async function readFull(tx: Tx, { partition, whole_at }: Row): Promise<Value> {
  const { rows } = await sql<{ whole: string }>`
    select whole from events where tableoid = ${partition} and ctid = ${whole_at}`.execute(tx)
  return rows[0]?.whole ?? null
}

/** PostgreSQL has its own order of keys and spaces in JSON, the embedded store those of `toPropertiesText`. */
const toValue = (name: string, value: Value): Value =>
  name === 'properties' ? toPropertiesText(JSON.parse(value as string)) : value

const EXPRESSIONS: Record<string, (name: string) => string> = {
  timestamptz: (name) => `(extract(epoch from ${name}) * 1000000)::bigint::text as ${name}`,
  uuid: (name) => `${name}::text as ${name}`,
}

function select(table: PortableTable): RawBuilder<unknown> {
  const types: Record<string, string> = PORTABLE_TABLES[table]
  const columns = columnsOf(table).map((name) => {
    if (name === 'properties') return 'properties::text as properties'
    if (name === 'after_seq') return 'seq as after_seq'
    if (name === 'whole') return 'partition, whole_at'
    return EXPRESSIONS[types[name] as string]?.(name) ?? name
  })
  return sql.raw(`select ${columns.join()} from ${toSource(table)}`)
}

/** Events are in their order of arrival, which facts have. */
const toSource = (table: PortableTable): string =>
  table === 'events'
    ? `(
        select events.*, seq, events.tableoid as partition,
          case when whole is not null then events.ctid::text end as whole_at
        from events join facts using (project_id, timestamp, uuid)
      ) events order by seq`
    : table
