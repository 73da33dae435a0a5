import { type Expression, sql } from 'kysely'
import { isPostgres, timeOfDatabase } from '#server/db/dialect.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { isTaken } from '#server/db/storage-problem.ts'
import type { RunRow } from '../store.ts'

/** A worker that has said nothing for so long is dead, and its runs are taken up by others. */
const LEASE_S = 15
/** How often a run is taken up again after its worker died or something around it failed. */
export const MAX_ATTEMPTS = 5

/**
 * The run that has been due longest, of a config that runs nothing else. On PostgreSQL two workers may choose two runs
 * of one config at the same moment: the index `runs_one_at_a_time` lets one of them have it, and the other looks again.
 */
export async function claimRun(db: Db, worker: string): Promise<RunRow | undefined> {
  for (;;) {
    try {
      return await claimNext(db, worker)
    } catch (error) {
      if (!isTaken(error)) throw error
    }
  }
}

function claimNext(db: Db, worker: string): Promise<RunRow | undefined> {
  const at = timeOfDatabase(db)
  const next = db
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
  const chosen = isPostgres(db) ? next.forUpdate().skipLocked() : next
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
    .where('id', '=', chosen)
    .returningAll()
    .executeTakeFirst()
}

/** Says that the worker lives. Returns which of its runs are still its own, and whether they are to end. */
export async function heartbeatRuns(
  db: Db,
  worker: string,
): Promise<ReadonlyMap<string, { cancelled: boolean }>> {
  const rows = await db
    .updateTable('runs')
    .set({ heartbeat_at: timeOfDatabase(db) })
    .where('worker', '=', worker)
    .where('state', '=', sql.lit('running'))
    .returning(['id', 'cancel_requested'])
    .execute()
  return toMap(rows)
}

/** The same without saying so: reading is cheaper, and a cancel should not wait for a heartbeat. */
export async function listRunStates(
  db: Db,
  worker: string,
): Promise<ReadonlyMap<string, { cancelled: boolean }>> {
  const rows = await db
    .selectFrom('runs')
    .select(['id', 'cancel_requested'])
    .where('worker', '=', worker)
    .where('state', '=', sql.lit('running'))
    .execute()
  return toMap(rows)
}

const toMap = (rows: readonly { id: string; cancel_requested: number }[]) =>
  new Map(rows.map((row) => [row.id, { cancelled: row.cancel_requested === 1 }]))

export interface RunEnding {
  readonly state: 'succeeded' | 'failed' | 'cancelled'
  readonly message: string
}

/** False: another worker has taken it meanwhile, so how it ended is not ours to say. */
export async function endRun(tx: Tx, run: RunRow, ending: RunEnding): Promise<boolean> {
  return updateClaimedRun(tx, run, { ...ending, finished_at: timeOfDatabase(tx) })
}

/** Back into the queue, to be taken again not before some time has passed. */
export function requeueRun(
  db: Db,
  run: RunRow,
  message: string,
  seconds: number,
  attempt = run.attempt,
): Promise<boolean> {
  const run_at = timeOfDatabase(db, seconds)
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

interface OwnColumns extends Partial<ProgressColumns> {
  readonly state?: RunRow['state']
  readonly message?: string
  readonly worker?: null
  readonly attempt?: number
  readonly run_at?: Expression<string>
  readonly finished_at?: Expression<string>
}

/** The attempt is part of whose it is: a worker that was thought dead must not end what was begun anew. */
async function updateClaimedRun(db: Db, run: RunRow, columns: OwnColumns): Promise<boolean> {
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

/** Runs whose worker died. */
export function listAbandonedRuns(db: Db): Promise<RunRow[]> {
  return db
    .selectFrom('runs')
    .selectAll()
    .where('state', '=', sql.lit('running'))
    .where('heartbeat_at', '<', timeOfDatabase(db, -LEASE_S))
    .execute()
}

/** What ended long ago. */
export async function pruneRuns(db: Db, before: string): Promise<void> {
  await db
    .deleteFrom('runs')
    .where('created_at', '<', before)
    .where('state', 'in', ['succeeded', 'failed', 'cancelled'])
    .execute()
}

/** Which of these configs may run. */
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
