import { type Expression, sql } from 'kysely'
import { databaseTime, isPostgres } from '#server/db/dialect.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { isUniqueViolation } from '#server/db/storage-problem.ts'
import type { RunRow } from '../store.ts'

/** A worker without a heartbeat for this long is dead, and other workers take over its runs. */
const LEASE_S = 15
/** The limit on attempts after a worker died or the infrastructure failed. */
export const MAX_ATTEMPTS = 5

/**
 * Claims the run that has been due longest, of a config without an active run. On PostgreSQL two workers may choose
 * two runs of one config at the same moment: the index `runs_one_at_a_time` lets one of them win, and the other
 * chooses again.
 */
export async function claimRun(db: Db, worker: string): Promise<RunRow | undefined> {
  for (;;) {
    try {
      return await claimNext(db, worker)
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
    }
  }
}

function claimNext(db: Db, worker: string): Promise<RunRow | undefined> {
  const at = databaseTime(db)
  const due = db
    .selectFrom('runs as next')
    .select('next.id')
    .where('next.state', '=', sql.lit('queued'))
    .where('next.run_at', '<=', at)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('runs as other')
            .select('other.id')
            .whereRef('other.config_id', '=', 'next.config_id')
            .where('other.state', '=', sql.lit('running')),
        ),
      ),
    )
    .orderBy('next.run_at')
    .orderBy('next.id')
    .limit(1)
  const next = isPostgres(db) ? due.forUpdate().skipLocked() : due
  return db
    .updateTable('runs')
    .set((eb) => ({
      state: 'running',
      worker,
      attempt: eb('attempt', '+', 1),
      started_at: eb.fn.coalesce('started_at', at),
      heartbeat_at: at,
      message: '',
    }))
    .where('id', '=', next)
    .returningAll()
    .executeTakeFirst()
}

export type RunStates = ReadonlyMap<string, { readonly canceled: boolean }>

/** Renews the worker's leases. Returns the runs that it still holds. */
export async function heartbeatRuns(db: Db, worker: string): Promise<RunStates> {
  const rows = await db
    .updateTable('runs')
    .set({ heartbeat_at: databaseTime(db) })
    .where('worker', '=', worker)
    .where('state', '=', sql.lit('running'))
    .returning(['id', 'cancel_requested'])
    .execute()
  return toRunStates(rows)
}

/** Returns the runs that the worker holds. Cheaper than a heartbeat, so cancellation can be polled more often. */
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
}

/** Returns false if another worker has taken over the run. */
export async function endRun(tx: Tx, run: RunRow, ending: RunEnding): Promise<boolean> {
  return updateClaimedRun(tx, run, { ...ending, finished_at: databaseTime(tx) })
}

export interface Requeue {
  readonly message: string
  readonly delaySeconds: number
  /** The attempt to count on from: the run's own if not given. */
  readonly attempt?: number
}

/** Puts the run back into the queue. Returns false if another worker has taken it over. */
export function requeueRun(
  db: Db,
  run: RunRow,
  { message, delaySeconds, attempt = run.attempt }: Requeue,
): Promise<boolean> {
  const run_at = databaseTime(db, delaySeconds)
  return updateClaimedRun(db, run, { state: 'queued', worker: null, message, run_at, attempt })
}

export interface ProgressColumns {
  readonly done: number
  readonly total: number | null
  readonly progress: string
  readonly events: number
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
  readonly run_at?: Expression<string>
  readonly finished_at?: Expression<string>
}

/** Compares the attempt too: a worker that was presumed dead must not update a later attempt of its own. */
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

/** Returns the ids of those configs that are enabled. */
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
