import { changeProject } from '../../db/change.ts'
import { endRun, listAbandoned, MAX_ATTEMPTS } from './claim-store.ts'
import { type Executor, tryAgain } from './execute-run.ts'
import { addMetrics } from './metrics.ts'

/** Puts runs whose worker died back into the queue, or ends those that have cost too many workers. */
export async function recoverAbandoned(executor: Executor): Promise<number> {
  const abandoned = await listAbandoned(executor.db)
  for (const run of abandoned) {
    if (await tryAgain(executor, run, 'The worker that ran it died.')) continue
    await changeProject(executor.db, run.project_id, async (tx) => {
      const message = `The worker that ran it died, ${MAX_ATTEMPTS} times.`
      if (!(await endRun(tx, run, { state: 'failed', message }))) return
      await addMetrics(tx, run.config_id, { runs_failed: 1 })
    })
  }
  return abandoned.length
}
