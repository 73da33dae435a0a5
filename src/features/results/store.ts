import type { Selectable } from 'kysely'
import type { Db, Schema, Tx } from '#server/db/schema.ts'

export type ResultRow = Selectable<Schema['query_results']>

export async function listResults(
  db: Db,
  projectId: number,
  keys: readonly string[],
): Promise<Map<string, ResultRow>> {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom('query_results')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('key', 'in', keys)
    .execute()
  return new Map(rows.map((row) => [row.key, row]))
}

export async function upsertResult(tx: Tx, row: ResultRow): Promise<void> {
  const { key: _, project_id: __, ...changes } = row
  await tx
    .insertInto('query_results')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(changes))
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
