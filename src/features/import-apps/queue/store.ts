import { type Insertable, type Selectable, sql } from 'kysely'
import { countRows } from '#server/db/count-rows.ts'
import { databaseTime } from '#server/db/dialect.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { json, now, uuid } from '#server/db/values.ts'

export type RunRow = Selectable<Schema['runs']>

/** The states of a run that has not ended. */
export const UNFINISHED = ['queued', 'running'] as const

/** The reason for canceling queued runs after a change of the app. */
export const APP_CHANGED = 'The config changed to another app after this run was queued.'

export const countQueuedRuns = (db: Db, configId: number): Promise<number> =>
  countRows(db.selectFrom('runs').where('config_id', '=', configId).where('state', '=', 'queued'))

export type NewRun = Pick<
  Insertable<Schema['runs']>,
  'project_id' | 'config_id' | 'kind' | 'name' | 'created_by' | 'by_app' | 'dry_run'
> & {
  readonly plugin_id: number
  readonly message?: string
  /** undefined: no payload, as distinct from an empty one. */
  readonly payload: unknown
  readonly operation?: string
  readonly run_at?: string
  readonly retry_of?: string
  readonly backfill_id?: string
}

export function queueRun(db: Db, run: NewRun): Promise<RunRow> {
  return db
    .insertInto('runs')
    .values({
      id: uuid(),
      operation: 'start',
      message: 'Waiting for a worker.',
      run_at: databaseTime(db),
      ...run,
      payload: json(run.payload ?? null),
      state: 'queued',
      created_at: now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Ends the runs of a config that no worker has claimed yet. */
export async function cancelQueuedRuns(tx: Tx, configId: number, message: string): Promise<void> {
  await tx
    .updateTable('runs')
    .set({ state: 'cancelled', message, finished_at: now() })
    .where('config_id', '=', configId)
    .where('state', '=', sql.lit('queued'))
    .execute()
}
