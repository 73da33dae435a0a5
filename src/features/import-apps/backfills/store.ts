import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { countRows } from '#server/db/count-rows.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { UNFINISHED } from '../queue/store.ts'
import type { Backfill } from './schema.ts'

export type BackfillRow = Selectable<Schema['backfills']>

const selectBackfills = (db: Db, configId: number) =>
  db.selectFrom('backfills').where('config_id', '=', configId)

export async function listBackfills(
  db: Db,
  configId: number,
  { limit, offset }: PageRange,
): Promise<Slice<Backfill>> {
  const all = selectBackfills(db, configId)
  const rows = await all
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { count: await countRows(all), results: rows.map(toBackfill) }
}

export const findBackfill = (
  db: Db,
  configId: number,
  id: string,
): Promise<BackfillRow | undefined> =>
  selectBackfills(db, configId).selectAll().where('id', '=', id).executeTakeFirst()

/** Lists those that may still import something. */
export const listOpenBackfills = (db: Db, configId: number): Promise<BackfillRow[]> =>
  selectBackfills(db, configId)
    .selectAll()
    .where('state', 'in', ['running', 'paused', 'failed'])
    .orderBy('id')
    .execute()

export const insertBackfill = (
  tx: Tx,
  row: Insertable<Schema['backfills']>,
): Promise<BackfillRow> =>
  tx.insertInto('backfills').values(row).returningAll().executeTakeFirstOrThrow()

export const updateBackfill = (
  tx: Tx,
  { id }: BackfillRow,
  columns: Updateable<Schema['backfills']>,
): Promise<BackfillRow> =>
  tx
    .updateTable('backfills')
    .set(columns)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Lists the running backfills of all projects that have no run for the next window. */
export const listStoppedBackfills = (db: Db): Promise<BackfillRow[]> =>
  db
    .selectFrom('backfills')
    .selectAll()
    .where('state', '=', sql.lit('running'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('runs')
            .select('runs.id')
            .whereRef('runs.backfill_id', '=', 'backfills.id')
            .where('runs.state', 'in', UNFINISHED),
        ),
      ),
    )
    .orderBy('id')
    .execute()

export const hasUnfinishedRun = async (db: Db, { id }: BackfillRow): Promise<boolean> =>
  (await db
    .selectFrom('runs')
    .select('id')
    .where('backfill_id', '=', id)
    .where('state', 'in', UNFINISHED)
    .executeTakeFirst()) !== undefined

/** Ends the run of a window that no worker has claimed. */
export async function cancelQueuedWindow(
  tx: Tx,
  { id }: BackfillRow,
  message: string,
): Promise<void> {
  await tx
    .updateTable('runs')
    .set({ state: 'cancelled', message, finished_at: now() })
    .where('backfill_id', '=', id)
    .where('state', '=', sql.lit('queued'))
    .execute()
}

/** Asks the worker of an active window to stop it. */
export async function cancelActiveWindow(tx: Tx, { id }: BackfillRow): Promise<void> {
  await tx
    .updateTable('runs')
    .set({ cancel_requested: 1 })
    .where('backfill_id', '=', id)
    .where('state', '=', sql.lit('running'))
    .execute()
}

export const toStreams = ({ streams }: BackfillRow): string[] | null =>
  streams === null ? null : JSON.parse(streams)

export const toBackfill = (row: BackfillRow): Backfill => ({
  id: row.id,
  config_id: row.config_id,
  from: row.from_time,
  to: row.to_time,
  streams: toStreams(row),
  chunk: row.chunk,
  state: row.state,
  message: row.message,
  windows: row.windows,
  windows_done: row.windows_done,
  events: row.events,
  new_events: row.new_events,
  skipped: row.skipped,
  created_by: row.created_by,
  created_at: row.created_at,
  finished_at: row.finished_at,
})
