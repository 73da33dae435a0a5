import { type RawBuilder, sql } from 'kysely'
import { readCursor } from '#server/db/read-cursor.ts'
import type { Tx } from '#server/db/schema.ts'
import {
  FILES_TABLE,
  type FileChunk,
  METADATA_TABLE_NAMES,
  METADATA_TABLES,
  type MetadataSnapshot,
  type Row,
} from './tables.ts'

const ROWS_PER_FETCH = 200
/** Each has up to 1 MiB. */
const FILES_PER_FETCH = 8

/** Reads in the given transaction, which sees one moment of the whole database. */
export async function openPostgresSnapshot(tx: Tx): Promise<MetadataSnapshot> {
  const { rows: migrations } = await sql<{ name: string }>`
    select name from schema_migrations order by name`.execute(tx)
  return {
    migrations: migrations.map(({ name }) => name),
    lastIds: await readLastIds(tx),
    rows: (table) =>
      fetchRows<Row>(
        tx,
        sql`select * from ${sql.table(table)} order by ${sql.raw(METADATA_TABLES[table].join())}`,
        ROWS_PER_FETCH,
      ),
    files: () =>
      fetchRows<FileChunk>(
        tx,
        sql`select * from ${sql.table(FILES_TABLE)} order by attachment_id, position`,
        FILES_PER_FETCH,
      ),
    close: async () => {},
  }
}

/** Yields the rows one by one. */
async function* fetchRows<T>(tx: Tx, query: RawBuilder<unknown>, count: number): AsyncGenerator<T> {
  for await (const rows of readCursor<T>(tx, 'backup_rows', query, count)) yield* rows
}

async function readLastIds(tx: Tx): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; last: number }>`
    select relname as name, pg_sequence_last_value(pg_get_serial_sequence(quote_ident(relname), 'id')::regclass) as last
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = current_schema() and relname in (${sql.join(METADATA_TABLE_NAMES)}) and exists (
      select from pg_attribute where attrelid = pg_class.oid and attname = 'id' and attidentity <> ''
    ) order by relname collate "C"`.execute(tx)
  return Object.fromEntries(
    rows.filter(({ last }) => last !== null).map(({ name, last }) => [name, last]),
  )
}
