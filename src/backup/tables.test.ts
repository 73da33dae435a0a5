import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openEventsFile } from '#server/analytics/duckdb/file.ts'
import { columnsOf, PORTABLE_TABLE_NAMES } from '#server/analytics/portable-tables.ts'
import { createEventTables } from '#server/analytics/postgres/tables.ts'
import { openStorage, type Storage } from '#server/db/open.ts'
import { storageOptions } from '../../test/support/app/storage.ts'
import { FILES_TABLE, LEFT_OUT, METADATA_TABLE_NAMES } from './metadata/tables.ts'

const DATABASE_TABLES = [...METADATA_TABLE_NAMES, FILES_TABLE, ...Object.keys(LEFT_OUT)]

/** Tables of an event store that a restore computes from the others, or that hold its state. */
const COMPUTED_BY_DUCKDB = ['facts', 'hot_properties', 'meta', 'whole_properties']
const COMPUTED_BY_POSTGRES = [
  'event_keys',
  'event_store',
  'event_versions',
  'facts',
  'hot_properties',
]

/** The number of an edit has another name on PostgreSQL, and events have it and their long texts elsewhere. */
const RENAMED = new Map([['seq', 'after_seq']])

async function open(database: 'sqlite' | 'postgres'): Promise<Storage & { folder: string }> {
  const options = await storageOptions(database)
  const storage = await openStorage(options)
  onTestFinished(() => storage.close())
  return { ...storage, folder: options.dataFolder }
}

describe('a backup', () => {
  it('knows every table of the database', async () => {
    const { db } = await open('sqlite')

    const tables = await db.introspection.getTables()

    expect(tables.map(({ name }) => name).sort()).toEqual([...DATABASE_TABLES].sort())
  })

  it('has the columns of each table in the same order on both databases', async () => {
    const [onSqlite, onPostgres] = await Promise.all([open('sqlite'), open('postgres')])

    const columns = METADATA_TABLE_NAMES.map((table) =>
      sql<{ columns: string }>`
      select string_agg(name, ' ') as columns from (
        select name from pragma_table_info(${table}) order by cid)`.execute(onSqlite.db),
    )
    const { rows } = await sql<{ name: string; columns: string }>`
      select relname as name, string_agg(attname::text, ' ' order by attnum) as columns
      from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
      group by relname`.execute(onPostgres.db)

    const found = new Map(rows.map(({ name, columns }) => [name, columns]))
    for (const [index, table] of METADATA_TABLE_NAMES.entries()) {
      expect((await columns[index])?.rows[0]?.columns, table).toBe(found.get(table))
    }
  })

  it('knows every table and column of the embedded event store', async () => {
    const { folder } = await open('sqlite')
    const file = await openEventsFile(folder, { id: 'a', has_events: 0 })

    const rows = await file.readers.run(
      sql`select table_name as name, string_agg(column_name, ' ' order by column_name) as columns
        from duckdb_columns() where database_name = 'store' group by table_name`,
      1000,
    )
    await file.close()

    const found = new Map(rows.map(({ name, columns }) => [name, String(columns).split(' ')]))
    expect([...found.keys()].sort()).toEqual(
      [...PORTABLE_TABLE_NAMES, ...COMPUTED_BY_DUCKDB].sort(),
    )
    for (const table of PORTABLE_TABLE_NAMES) {
      const columns = columnsOf(table).filter((name) => name !== 'whole') // in `whole_properties`
      expect(found.get(table), table).toEqual(columns.sort())
    }
  })

  it('knows every table and column of PostgreSQL', async () => {
    const { db } = await open('postgres')
    await createEventTables(db)

    const { rows } = await sql<{ name: string; columns: string[] }>`
      select relname as name, array_agg(attname::text order by attname::text collate "C") as columns
      from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
        and attnum > 0 and not attisdropped group by relname`.execute(db)

    const found = new Map(rows.map(({ name, columns }) => [name, columns]))
    expect([...found.keys()].sort()).toEqual(
      [...DATABASE_TABLES, ...PORTABLE_TABLE_NAMES, ...COMPUTED_BY_POSTGRES].sort(),
    )
    for (const table of PORTABLE_TABLE_NAMES) {
      const columns = columnsOf(table).filter((name) => table !== 'events' || name !== 'seq') // in `facts`
      const names = found.get(table)?.map((name) => RENAMED.get(name) ?? name)
      expect(names?.sort(), table).toEqual(columns.sort())
    }
  })
})
