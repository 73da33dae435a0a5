import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { isPostgres } from '#server/db/dialect.ts'
import type { Db } from '#server/db/schema.ts'

export type Snapshot = Readonly<Record<string, string>>

interface Row {
  readonly name: string
  readonly content: string
}

/** Tables that may change at any time: results, and the properties that earlier queries read, recorded after them, and views and codes of public links. */
const IGNORED_TABLES = [
  'query_results',
  'hot_properties',
  'link_views',
  'link_guest_views',
  'link_codes',
]
/** Columns that may change at any time: last uses, views and versions. */
const IGNORED_COLUMNS = ['last_used_at', 'last_viewed_at', 'version', 'views']

const statements = new WeakMap<Db, RawBuilder<Row>>()

/** Hashes the content of every table that has rows. */
export async function readSnapshot(db: Db): Promise<Snapshot> {
  const statement = statements.get(db) ?? (await toStatement(db))
  statements.set(db, statement)
  const { rows } = await statement.execute(db)
  const tables = Map.groupBy(rows, ({ name }) => name)
  return Object.fromEntries([...tables].map(([name, found]) => [name, describe(found)]))
}

function describe(rows: readonly Row[]): string {
  const texts = rows.map(({ content }) => content).toSorted()
  return `${rows.length} rows, ${hash('sha1', texts.join('\n'))}`
}

/**
 * Builds one statement for all tables: one per table took four times the CPU, and tests take thousands of snapshots.
 */
async function toStatement(db: Db): Promise<RawBuilder<Row>> {
  const tables = Map.groupBy(await listColumns(db), ({ table }) => table)
  const selects = [...tables].map(([table, columns]) => {
    const content = toText(
      db,
      columns.map(({ column }) => sql.ref(column)),
    )
    return sql`select ${sql.lit(table)} as name, ${content} as content from ${sql.table(table)}`
  })
  return sql<Row>`${sql.join(selects, sql` union all `)}`
}

const toText = (db: Db, columns: readonly RawBuilder<unknown>[]) =>
  isPostgres(db)
    ? sql`row(${sql.join(columns)})::text`
    : sql.join(
        columns.map((column) => sql`quote(${column})`),
        sql` || ',' || `,
      )

async function listColumns(db: Db) {
  const query = isPostgres(db)
    ? sql<{ table: string; column: string }>`
        select table_name as "table", column_name as "column"
        from information_schema.columns where table_schema = 'public'`
    : sql<{ table: string; column: string }>`
        select tables.name as "table", columns.name as "column"
        from sqlite_master as tables, pragma_table_info(tables.name) as columns
        where tables.type = 'table'`
  const { rows } = await query.execute(db)
  return rows.filter(
    ({ table, column }) => !IGNORED_TABLES.includes(table) && !IGNORED_COLUMNS.includes(column),
  )
}
