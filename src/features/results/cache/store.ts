import { type Selectable, sql } from 'kysely'
import { isPostgres } from '#server/db/dialect.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { giveWay } from '#server/turns.ts'

export type ResultRow = Selectable<Schema['query_results']>

export async function listResults(
  db: Db,
  projectId: number,
  keys: readonly string[],
): Promise<Map<string, ResultRow>> {
  if (keys.length === 0) return new Map()
  const rows = isPostgres(db)
    ? await db
        .selectFrom('query_results')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('key', 'in', keys)
        .execute()
    : await listOnSqlite(db, projectId, keys)
  return new Map(rows.map((row) => [row.key, row]))
}

const COLUMNS = [
  'key',
  'project_id',
  'version',
  'period',
  'details',
  'problem',
  'computed_at',
  'duration_ms',
] as const satisfies readonly (keyof ResultRow)[]

const utf8 = new TextDecoder()

/**
 * Reads one row at a time, because SQLite reads in the main thread and a result may have megabytes. Reads its bytes,
 * because node:sqlite takes four times as long to convert text that is not ASCII.
 */
async function listOnSqlite(
  db: Db,
  projectId: number,
  keys: readonly string[],
): Promise<ResultRow[]> {
  const rows: ResultRow[] = []
  for (const key of keys) {
    await giveWay()
    const row = await db
      .selectFrom('query_results')
      .select(COLUMNS)
      .select(sql<Uint8Array | null>`cast(results as blob)`.as('results'))
      .where('project_id', '=', projectId)
      .where('key', '=', key)
      .executeTakeFirst()
    if (row) rows.push({ ...row, results: row.results && utf8.decode(row.results) })
  }
  return rows
}

export async function upsertResult(tx: Tx, row: ResultRow): Promise<void> {
  const { key: _, project_id: __, ...changes } = row
  const columns = Object.keys(changes) as (keyof typeof changes)[]
  await tx
    .insertInto('query_results')
    .values(row)
    .onConflict((conflict) =>
      // not the values again: a result of megabytes would be converted twice
      conflict
        .column('key')
        .doUpdateSet(({ ref }) =>
          Object.fromEntries(columns.map((column) => [column, ref(`excluded.${column}`)])),
        ),
    )
    .execute()
}

/** Deletes results that no one has viewed for long: a viewed result is refreshed from time to time. */
export async function deleteResultsBefore(db: Db, time: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('query_results')
    .where('computed_at', '<', time)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
