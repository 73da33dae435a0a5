import { type Expression, sql } from 'kysely'
import { databaseTime } from '#server/db/dialect.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import type { RunRow } from '#server/features/import-apps/queue/store.ts'

/** A worker without a heartbeat for this long is dead, and other workers take over its runs. */
export const LEASE_S = 15
/** The limit on attempts after a worker died or the infrastructure failed. */
export const MAX_ATTEMPTS = 5

export type RunStates = ReadonlyMap<string, { readonly canceled: boolean }>

/** Renews the worker's leases on these runs. Returns those that it still holds. */
export async function heartbeatRuns(
  db: Db,
  worker: string,
  ids: readonly string[],
): Promise<RunStates> {
  const rows = await db
    .updateTable('runs')
    .set({ heartbeat_at: databaseTime(db) })
    .where('worker', '=', worker)
    .where('id', 'in', ids)
    .where('state', '=', sql.lit('running'))
    .returning(['id', 'cancel_requested'])
    .execute()
  return toRunStates(rows)
}

/** Lists the runs that the worker holds. Cheaper than a heartbeat, so cancellation can be polled more often. */
export async function listRunStates(db: Db, worker: string): Promise<RunStates> {
  const rows = await db
    .selectFrom('runs')
    .select(['id', 'cancel_requested'])
    .where('worker', '=', worker)
    .where('state', '=', sql.lit('running'))
    .execute()
  return toRunStates(rows)
}

const toRunStates = (rows: readonly { id: string; cancel_requested: number }[]): RunStates =>
  new Map(rows.map((row) => [row.id, { canceled: row.cancel_requested === 1 }]))

export interface RunEnding {
  readonly state: 'succeeded' | 'failed' | 'cancelled'
  readonly message: string
  /** The difference of its events to those of earlier runs. */
  readonly schema_change?: string | null
}

/** Returns false if another worker has taken over the run. */
export async function endRun(tx: Tx, run: RunRow, ending: RunEnding): Promise<boolean> {
  return updateClaimedRun(tx, run, { ...ending, finished_at: databaseTime(tx) })
}

export interface Requeue {
  readonly message: string
  readonly delaySeconds: number
  /** The attempt to continue from; the run's own by default. */
  readonly attempt?: number
  /** The number of retries, this one included; the run's own by default. */
  readonly retries?: number
}

/** Puts the run back into its place in the queue. Returns false if another worker has taken it over. */
export function requeueRun(
  db: Db,
  run: RunRow,
  { message, delaySeconds, attempt = run.attempt, retries = run.retries }: Requeue,
): Promise<boolean> {
  const retry_at = delaySeconds > 0 ? databaseTime(db, delaySeconds) : null
  const columns = { message, retry_at, attempt, retries }
  return updateClaimedRun(db, run, { state: 'queued', worker: null, ...columns })
}

export interface ProgressColumns {
  readonly done: number
  readonly total: number | null
  readonly progress: string
  readonly events: number
  readonly new_events: number | null
  readonly skipped: number
}

export const updateRunProgress = (
  db: Db,
  run: RunRow,
  columns: ProgressColumns,
): Promise<boolean> => updateClaimedRun(db, run, columns)

interface ClaimedColumns extends Partial<ProgressColumns> {
  readonly state?: RunRow['state']
  readonly message?: string
  readonly worker?: null
  readonly attempt?: number
  readonly retries?: number
  readonly retry_at?: Expression<string> | null
  readonly finished_at?: Expression<string>
  readonly schema_change?: string | null
}

/** Compares the attempt too, because a worker presumed dead must not update its own later attempt. */
async function updateClaimedRun(db: Db, run: RunRow, columns: ClaimedColumns): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('runs')
    .set(columns)
    .where('id', '=', run.id)
    .where('worker', '=', run.worker)
    .where('attempt', '=', run.attempt)
    .where('state', '=', sql.lit('running'))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Lists the runs whose worker died. */
export function listAbandonedRuns(db: Db): Promise<RunRow[]> {
  return db
    .selectFrom('runs')
    .selectAll()
    .where('state', '=', sql.lit('running'))
    .where('heartbeat_at', '<', databaseTime(db, -LEASE_S))
    .execute()
}

/** Deletes finished runs created before a time. */
export async function pruneRuns(db: Db, before: string): Promise<void> {
  await db
    .deleteFrom('runs')
    .where('created_at', '<', before)
    .where('state', 'in', ['succeeded', 'failed', 'cancelled'])
    .execute()
}

/** Lists the ids of those configs that are enabled. */
export async function listEnabledConfigIds(
  db: Db,
  configIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (configIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('plugin_configs')
    .select('id')
    .where('id', 'in', configIds)
    .where('enabled', '=', 1)
    .where('deleted', '=', 0)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Asks the workers to stop the active runs of configs, and returns how many there are. Workers that died do not count. */
export async function cancelActiveRuns(db: Db, configIds: readonly number[]): Promise<number> {
  if (configIds.length === 0) return 0
  const { numUpdatedRows } = await db
    .updateTable('runs')
    .set({ cancel_requested: 1 })
    .where('config_id', 'in', configIds)
    .where('state', '=', 'running')
    .where('heartbeat_at', '>=', databaseTime(db, -LEASE_S))
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
