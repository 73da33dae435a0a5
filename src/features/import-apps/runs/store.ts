import { type Insertable, type Selectable, sql } from 'kysely'
import { countRows } from '#server/db/count-rows.ts'
import { databaseTime } from '#server/db/dialect.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { flag, json, now, uuid } from '#server/db/values.ts'
import type { Run, RunQuery } from './schema.ts'

/** The reason for canceling queued runs after a change of the app. */
export const APP_CHANGED = 'The config changed to another app after this run was queued.'

export type RunRow = Selectable<Schema['runs']>

const selectRuns = (db: Db, projectId: number, configId: number) =>
  db.selectFrom('runs').where('project_id', '=', projectId).where('config_id', '=', configId)

export type RunFilter = Pick<RunQuery, 'dry_run'>

const selectFilteredRuns = (
  db: Db,
  projectId: number,
  configId: number,
  { dry_run }: RunFilter,
) => {
  const runs = selectRuns(db, projectId, configId)
  return dry_run === undefined ? runs : runs.where('dry_run', '=', flag(dry_run))
}

export async function listRuns(
  db: Db,
  projectId: number,
  configId: number,
  filter: RunFilter,
  { limit, offset }: PageRange,
): Promise<Slice<Run>> {
  const runs = selectFilteredRuns(db, projectId, configId, filter)
  const rows = await newestFirst(runs).limit(limit).offset(offset).execute()
  return { count: await countRows(runs), results: rows.map(toRun) }
}

const newestFirst = (runs: ReturnType<typeof selectRuns>) =>
  runs.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc')

/** Lists runs without the total, which takes longer with every run. */
export async function listNewestRuns(
  db: Db,
  projectId: number,
  configId: number,
  { limit, offset }: PageRange,
): Promise<Run[]> {
  const runs = selectRuns(db, projectId, configId)
  const rows = await newestFirst(runs).limit(limit).offset(offset).execute()
  return rows.map(toRun)
}

export function findRunRow(
  db: Db,
  projectId: number,
  configId: number,
  id: string,
): Promise<RunRow | undefined> {
  return selectRuns(db, projectId, configId).selectAll().where('id', '=', id).executeTakeFirst()
}

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

/** Ends a run that no worker has claimed yet. */
export function updateCanceledRun(tx: Tx, id: string, message: string): Promise<RunRow> {
  return tx
    .updateTable('runs')
    .set({ state: 'cancelled', message, finished_at: now() })
    .where('id', '=', id)
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

/** Asks the worker of an active run to stop it. */
export function updateCancelRequested(tx: Tx, id: string): Promise<RunRow> {
  return tx
    .updateTable('runs')
    .set({ cancel_requested: 1 })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const toRun = (row: RunRow): Run => ({
  id: row.id,
  config_id: row.config_id,
  kind: row.kind,
  name: row.name,
  payload: JSON.parse(row.payload),
  operation: row.operation,
  state: row.state,
  message: row.message,
  progress: { done: row.done, total: row.total, message: row.progress },
  events: row.events,
  new_events: row.new_events,
  skipped: row.skipped,
  dry_run: row.dry_run === 1,
  attempt: row.attempt,
  retry_of: row.retry_of,
  created_by: row.created_by,
  created_at: row.created_at,
  run_at: row.retry_at || row.run_at || null, // empty in runs of earlier versions
  started_at: row.started_at,
  finished_at: row.finished_at,
})
