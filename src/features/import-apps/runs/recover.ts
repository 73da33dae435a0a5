import { listAbandoned, MAX_ATTEMPTS } from './claim-store.ts'
import { concludeRun, type Executor, tryAgain } from './execute-run.ts'

/** Puts runs whose worker died back into the queue, or ends those that have cost too many workers. */
export async function recoverAbandoned(executor: Executor): Promise<number> {
  const abandoned = await listAbandoned(executor.db)
  for (const run of abandoned) {
    if (await tryAgain(executor, run, 'The worker that ran it died.')) continue
    const message = `The worker that ran it died, ${MAX_ATTEMPTS} times.`
    await concludeRun(executor.db, run, { state: 'failed', message })
  }
  return abandoned.length
}
