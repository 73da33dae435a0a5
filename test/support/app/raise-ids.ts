import { sql } from 'kysely'
import { isPostgres } from '#server/db/dialect.ts'
import type { Db } from '#server/db/schema.ts'

/** Above every ID that a test uses for a record that does not exist. */
const STEP = 1_000_000

/** Starts the IDs of each table at a different number, so no test can rely on a literal ID. */
export async function raiseIds(db: Db): Promise<void> {
  const tables = await listNumberedTables(db)
  for (const [index, table] of tables.entries()) {
    const last = STEP * (index + 1)
    await (isPostgres(db)
      ? sql`select setval(pg_get_serial_sequence(${table}, 'id')::regclass, ${sql.lit(last)})`
      : sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`
    ).execute(db)
  }
}

/** On SQLite, also deletes the existing sequences, because each table may have only one. */
async function listNumberedTables(db: Db): Promise<string[]> {
  const query = isPostgres(db)
    ? sql<{ name: string }>`
        select table_name as name from information_schema.columns
        where table_schema = 'public' and column_name = 'id' and is_identity = 'YES' order by 1`
    : sql<{ name: string }>`
        select name from sqlite_master where type = 'table' and sql like '%autoincrement%' order by 1`
  const { rows } = await query.execute(db)
  if (!isPostgres(db)) await sql`delete from sqlite_sequence`.execute(db)
  return rows.map(({ name }) => name)
}
