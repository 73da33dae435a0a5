import type { Db } from '#server/db/schema.ts'
import type { RunRow } from '#server/features/import-apps/queue/store.ts'
import type { Retry } from '#server/features/import-apps/schedules/schema.ts'
import type { AppOutcome } from '#server/runtime/contract.ts'

const FIRST_DELAY_S = 10
const MAX_DELAY_S = 60 * 60
/** A server that asks for a longer wait is asked again after this one. */
const MAX_RETRY_AFTER_S = 24 * 60 * 60

export interface PlannedRetry {
  readonly retries: number
  readonly delaySeconds: number
  readonly message: string
}

/** Plans the next attempt of a run that failed temporarily, if its config says so. */
export async function planRetry(
  db: Db,
  run: RunRow,
  outcome: AppOutcome,
): Promise<PlannedRetry | undefined> {
  if (outcome.ended !== 'failed' || !outcome.temporary || run.dry_run === 1) return undefined
  const retry = await findRetry(db, run.config_id)
  if (!retry || run.retries >= retry.times) return undefined
  const retries = run.retries + 1
  const delaySeconds = toDelaySeconds(retry, retries, outcome.temporary.retryAfterMs)
  const message = `Retry ${retries} of ${retry.times} in ${delaySeconds} s. It failed: ${outcome.message}`
  return { retries, delaySeconds, message }
}

/** Returns the delay of the n-th retry: the config's, or what the other side asks for if that is longer. */
export function toDelaySeconds({ backoff }: Retry, nth: number, retryAfterMs: number): number {
  const factor = backoff === 'exponential' ? 2 ** (nth - 1) : 1
  const own = Math.min(FIRST_DELAY_S * factor, MAX_DELAY_S)
  return Math.max(own, Math.min(Math.ceil(retryAfterMs / 1000), MAX_RETRY_AFTER_S))
}

/** Finds how the runs of an enabled config are retried. */
async function findRetry(db: Db, configId: number): Promise<Retry | undefined> {
  const row = await db
    .selectFrom('plugin_configs')
    .select('retry')
    .where('id', '=', configId)
    .where('enabled', '=', 1)
    .where('deleted', '=', 0)
    .executeTakeFirst()
  return row?.retry ? JSON.parse(row.retry) : undefined
}
