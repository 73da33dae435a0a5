import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { isPostgres } from '../../src/db/dialect.ts'
import type { Db } from '../../src/db/schema.ts'

export type Snapshot = Readonly<Record<string, string>>

/**
 * Length and content of every table. When a key was last used may change at any time, and so may what is computed
 * for those who look, with the versions that say so.
 */
export async function snapshotOf(db: Db): Promise<Snapshot> {
  const names = await listTables(db)
  return Object.fromEntries(await Promise.all(names.map((name) => describeTable(db, name))))
}

async function listTables(db: Db): Promise<string[]> {
  const query = isPostgres(db)
    ? sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`
    : sql<{ name: string }>`select name from sqlite_master where type = 'table'`
  const { rows } = await query.execute(db)
  return rows.map(({ name }) => name).filter((name) => name !== 'query_results')
}

async function describeTable(db: Db, name: string): Promise<[name: string, content: string]> {
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db)
  const texts = rows
    .map(({ last_used_at: _, version: __, ...row }) => JSON.stringify(row))
    .toSorted()
  return [name, `${rows.length} rows, ${hash('sha1', texts.join('\n'))}`]
}
