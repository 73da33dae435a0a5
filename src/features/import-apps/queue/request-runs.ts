import { sql } from 'kysely'
import { ON_REQUEST } from '#model/app-limitation.ts'
import { compileOnce } from '#server/db/compile-once.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { inSeconds } from '#server/db/values.ts'
import { type SetUpConfig, toSetUpRun } from './set-ups.ts'
import { queueRun, type RunRow, UNFINISHED } from './store.ts'

/**
 * Queues a run for a request that has just come, unless one already waits. While one is running, which handles requests
 * as they come, the next starts a second later, so that a busy sender does not cause a run for each request. Returns
 * whether a run is due now.
 */
export async function queueRequestRun(tx: Tx, config: SetUpConfig): Promise<boolean> {
  const states = await listUnfinished(tx, config.id)
  if (states.includes('queued')) return false
  const isRunning = states.length > 0
  await queueRun(tx, { ...toRequestRun(config), ...(isRunning && { run_at: inSeconds(1) }) })
  return !isRunning
}

/** Queues a run for requests that wait although none is queued or running. Returns whether it did. */
export async function queueMissingRequestRun(tx: Tx, config: SetUpConfig): Promise<boolean> {
  if ((await listUnfinished(tx, config.id)).length > 0) return false
  await queueRun(tx, toRequestRun(config))
  return true
}

const toRequestRun = (config: SetUpConfig) => ({ ...toSetUpRun(config), name: ON_REQUEST })

const selectUnfinished = compileOnce((db: Db, configId: number) =>
  db
    .selectFrom('runs')
    .select('state')
    .where('config_id', '=', configId)
    .where('name', '=', sql.lit(ON_REQUEST))
    .where('dry_run', '=', sql.lit(0))
    .where(
      'state',
      'in',
      UNFINISHED.map((state) => sql.lit(state)),
    ),
)

const listUnfinished = async (tx: Tx, configId: number): Promise<string[]> =>
  (await selectUnfinished(tx, configId)).map(({ state }) => state)

/** Queues a test run of one request. */
export const queueRequestTest = (
  tx: Tx,
  config: SetUpConfig,
  requestId: number,
  userId: number,
): Promise<RunRow> =>
  queueRun(tx, {
    ...toRequestRun(config),
    payload: { request: requestId },
    dry_run: 1,
    created_by: userId,
  })
