import { countRows } from '#server/db/count-rows.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { flag, now } from '#server/db/values.ts'
import type { RunRow } from '../queue/store.ts'
import type { Run, RunQuery } from './schema.ts'

const selectRuns = (db: Db, projectId: number, configId: number) =>
  db.selectFrom('runs').where('project_id', '=', projectId).where('config_id', '=', configId)

export interface RunFilter extends Pick<RunQuery, 'dry_run'> {
  readonly projectId: number
  readonly configId: number
}

export async function listRuns(
  db: Db,
  { projectId, configId, dry_run }: RunFilter,
  { limit, offset }: PageRange,
): Promise<Slice<Run>> {
  const all = selectRuns(db, projectId, configId)
  const runs = dry_run === undefined ? all : all.where('dry_run', '=', flag(dry_run))
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

/** Ends a run that no worker has claimed yet. */
export function updateCanceledRun(tx: Tx, id: string, message: string): Promise<RunRow> {
  return tx
    .updateTable('runs')
    .set({ state: 'cancelled', message, finished_at: now() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
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
  backfill: row.backfill_id,
  created_by: row.created_by,
  created_at: row.created_at,
  run_at: row.retry_at || row.run_at || null, // empty in runs of earlier versions
  started_at: row.started_at,
  finished_at: row.finished_at,
})
