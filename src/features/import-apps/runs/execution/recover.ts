import { listAbandonedRuns, MAX_ATTEMPTS } from './claim-store.ts'
import { finishRun, type RunDeps, retryLater } from './execute-run.ts'

/** Puts runs whose worker died back into the queue, or ends those that have cost too many workers. */
export async function recoverAbandonedRuns(executor: RunDeps): Promise<number> {
  const abandoned = await listAbandonedRuns(executor.db)
  for (const run of abandoned) {
    if (await retryLater(executor, run, 'The worker that ran it died.')) continue
    const message = `The worker that ran it died, ${MAX_ATTEMPTS} times.`
    await finishRun(executor.db, run, { state: 'failed', message })
  }
  return abandoned.length
}
