import type { Db } from '#server/db/schema.ts'
import { json } from '#server/db/values.ts'
import type { SkippedRow as NewSkippedRow } from '#server/runtime/contract.ts'
import type { RunPreview, SkippedRow } from './schema.ts'

/** The number of events and skipped rows in a preview. */
export const PREVIEW_LENGTH = 20
/** Both databases limit the values in a statement, and a row has four. */
const ROWS_PER_INSERT = 200

export async function insertPreview(
  db: Db,
  runId: string,
  previewed: readonly RunPreview['events'][number][],
): Promise<void> {
  const events = json(previewed)
  await db
    .insertInto('run_previews')
    .values({ run_id: runId, events })
    .onConflict((conflict) => conflict.column('run_id').doUpdateSet({ events }))
    .execute()
}

export async function listPreviewedEvents(db: Db, runId: string): Promise<RunPreview['events']> {
  const row = await db
    .selectFrom('run_previews')
    .select('events')
    .where('run_id', '=', runId)
    .executeTakeFirst()
  return row ? JSON.parse(row.events) : []
}

export async function insertSkippedRows(
  db: Db,
  runId: string,
  firstPosition: number,
  rows: readonly NewSkippedRow[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    const some = rows.slice(start, start + ROWS_PER_INSERT).map((row, index) => ({
      run_id: runId,
      position: firstPosition + start + index,
      ...row,
    }))
    await db.insertInto('run_skipped_rows').values(some).execute()
  }
}

export async function listSkippedRows(db: Db, runId: string, limit: number): Promise<SkippedRow[]> {
  const rows = await db
    .selectFrom('run_skipped_rows')
    .select(['reason', 'content as row'])
    .where('run_id', '=', runId)
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows
}

/** Deletes the rows that an earlier attempt of the run skipped. */
export async function deleteSkippedRows(db: Db, runId: string): Promise<void> {
  await db.deleteFrom('run_skipped_rows').where('run_id', '=', runId).execute()
}
