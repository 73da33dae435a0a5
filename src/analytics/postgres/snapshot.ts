import { type RawBuilder, sql } from 'kysely'
import { readCursor } from '#server/db/read-cursor.ts'
import type { Tx } from '#server/db/schema.ts'
import { OperatorError } from '#server/errors.ts'
import type { SnapshotTables } from '../derive/snapshot.ts'
import { createPartWriter } from '../parquet/part-writer.ts'
import type { Value } from '../parquet/write-parquet.ts'
import { columnsOf, PORTABLE_TABLES, type PortableTable } from '../portable-tables.ts'
import { toPropertiesText } from '../properties-text.ts'

/** The longest rows, those of persons with 32 kB of properties, take 3 MB then. */
const ROWS_PER_FETCH = 100

/** Reads in the given transaction, which sees one moment of the whole database. */
export async function openSnapshotTables(tx: Tx, folder: string): Promise<SnapshotTables> {
  await requireComplete(tx)
  return {
    folder,
    count: (table) => countTable(tx, table),
    writePart: createPartWriter((table) => readTable(tx, table)),
    close: async () => {},
  }
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

export async function countTable(tx: Tx, table: PortableTable): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)}`.execute(tx)
  return rows[0]?.count ?? 0
}

type Row = Record<string, Value>

export async function* readTable(tx: Tx, table: PortableTable): AsyncGenerator<Row> {
  for await (const rows of readCursor<Row>(tx, `backup_${table}`, select(table), ROWS_PER_FETCH)) {
    for (const row of rows) {
      if (row.whole_at != null) row.whole = await readFull(tx, row)
      if (row.properties != null) row.properties = toPortable(row.properties)
      yield row
    }
  }
}

/** Reads full properties one by one, because all rows of a fetch together could have 100 MB. */
async function readFull(tx: Tx, { partition, whole_at }: Row): Promise<Value> {
  const { rows } = await sql<{ whole: string }>`
    select whole from events where tableoid = ${partition} and ctid = ${whole_at}`.execute(tx)
  return rows[0]?.whole ?? null
}

/** Writes properties as the embedded store does: PostgreSQL has its own order of keys and its own spaces. */
const toPortable = (properties: Value): string => toPropertiesText(JSON.parse(properties as string))

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
