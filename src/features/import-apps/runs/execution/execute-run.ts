import { changeProject } from '#server/db/change.ts'
import { now } from '#server/db/values.ts'
import type { AppOutcome, AppTask, Runtime } from '#server/runtime/contract.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { addMetrics } from '../metrics/metrics-store.ts'
import {
  type BatchCounts,
  createRunServices,
  type RunServicesDeps,
} from '../services/run-services.ts'
import type { RunRow } from '../store.ts'
import {
  endRun,
  listAbandonedRuns,
  MAX_ATTEMPTS,
  type RunEnding,
  requeueRun,
} from './claim-store.ts'
import { loadAppSpec } from './load-app-spec.ts'
import { isStale } from './schedules.ts'

export interface RunDeps extends RunServicesDeps {
  readonly runtime: Runtime
  readonly secrets: Secrets
  /** Tells the operator about an error that is not the app's fault. */
  readonly report: (error: unknown, run: RunRow) => void
}

/** Why a worker stops an active run. `lost`: another worker has taken it over. */
export type StopReason = 'canceled' | 'lost' | 'stopping'

/** Executes a claimed run and stores how it ended. Throws only if the storage cannot be written. */
export async function executeRun(deps: RunDeps, run: RunRow, signal: AbortSignal): Promise<void> {
  const { outcome, batches } = await runApp(deps, run, signal).catch((error) => {
    deps.report(error, run)
    return toInfrastructureFailure(error)
  })
  if (signal.reason === 'lost') return // its new worker stores how it ends
  if (outcome.ended === 'cancelled' && signal.reason === 'stopping') {
    await requeueRun(deps.db, run, {
      message: 'The server stopped. The run will start again.',
      delaySeconds: 0,
      attempt: run.attempt - 1,
    })
    return
  }
  const isRetryable = outcome.ended === 'failed' && outcome.by === 'infrastructure'
  if (isRetryable && (await retryLater(deps, run, outcome.message))) return
  await logFailure(deps, run, toEnding(outcome, batches))
  await finishRun(deps, run, toEnding(outcome, batches), batches)
}

interface RunResult {
  readonly outcome: AppOutcome
  readonly batches: BatchCounts
}

const NO_BATCHES: BatchCounts = { succeeded: 0, failed: 0, events: 0 }

const withoutApp = (outcome: AppOutcome): RunResult => ({ outcome, batches: NO_BATCHES })

const toInfrastructureFailure = ({ message }: Error): RunResult =>
  withoutApp({ ended: 'failed', by: 'infrastructure', message })

/** Loads the app of the run's config and hands it the task. */
async function runApp(deps: RunDeps, run: RunRow, signal: AbortSignal): Promise<RunResult> {
  if (run.kind === 'schedule' && isStale(run.name, run.created_at, Date.now())) {
    return withoutApp({ ended: 'cancelled', message: 'It waited longer than its period.' })
  }
  const loaded = await loadAppSpec(deps, run)
  if ('refused' in loaded) return withoutApp(loaded.refused)
  const services = createRunServices(deps, run, loaded.spec.pluginId)
  try {
    const outcome = await deps.runtime.run(loaded.spec, services, toAppTask(run), signal)
    return { outcome, batches: services.batchCounts() }
  } finally {
    await services.flush()
  }
}

/** Adds the operation and the run's id to the payload of a job from the API. Jobs that an app queued stay as they are. */
function toAppTask({ id, kind, name, payload: json, operation, created_by }: RunRow): AppTask {
  if (kind === 'schedule') return { kind, name, payload: undefined }
  const payload = JSON.parse(json) ?? undefined
  if (created_by === null) return { kind, name, payload }
  return { kind, name, payload: { ...payload, $operation: operation, $job_id: id } }
}

function toEnding(outcome: AppOutcome, { events }: BatchCounts): RunEnding {
  if (outcome.ended === 'failed') return { state: 'failed', message: outcome.message }
  if (outcome.ended === 'cancelled') {
    return { state: 'cancelled', message: outcome.message ?? 'Canceled while running.' }
  }
  return { state: 'succeeded', message: events === 0 ? '' : `Captured ${events} events.` }
}

/** Makes every line of the run readable before the run counts as finished. */
async function logFailure({ logs }: RunDeps, run: RunRow, ending: RunEnding): Promise<void> {
  if (ending.state === 'failed') {
    const message = `${run.name || 'The run'} failed: ${ending.message}`
    logs.write(run, { source: 'SYSTEM', type: 'ERROR', message, at: now() })
  }
  await logs.flush()
}

/** Ends a run that this worker still holds, and counts it in the same commit. */
function finishRun(
  { db }: Pick<RunDeps, 'db'>,
  run: RunRow,
  ending: RunEnding,
  { succeeded, failed, events } = NO_BATCHES,
): Promise<void> {
  return changeProject(db, run.project_id, async (tx) => {
    if (!(await endRun(tx, run, ending))) return
    await addMetrics(tx, run.config_id, {
      runs_succeeded: ending.state === 'succeeded' ? 1 : 0,
      runs_failed: ending.state === 'failed' ? 1 : 0,
      deliveries_succeeded: succeeded,
      deliveries_failed: failed,
      events,
    })
  })
}

/** Doubles the delay with each attempt. */
const toBackoffSeconds = (attempt: number): number => 2 ** attempt

/** Returns false if no attempts are left. */
async function retryLater({ db, logs }: RunDeps, run: RunRow, reason: string): Promise<boolean> {
  if (run.attempt >= MAX_ATTEMPTS) return false
  const delaySeconds = toBackoffSeconds(run.attempt)
  const message = `${reason} Attempt ${run.attempt} of ${MAX_ATTEMPTS}, retrying in ${delaySeconds} s.`
  logs.write(run, { source: 'SYSTEM', type: 'WARN', message, at: now() })
  await logs.flush()
  await requeueRun(db, run, { message, delaySeconds })
  return true
}

/** Requeues the runs of dead workers, and fails those without attempts left. Returns how many there were. */
export async function recoverAbandonedRuns(deps: RunDeps): Promise<number> {
  const abandoned = await listAbandonedRuns(deps.db)
  for (const run of abandoned) {
    if (await retryLater(deps, run, 'The worker died.')) continue
    const message = `The worker died ${MAX_ATTEMPTS} times.`
    await finishRun(deps, run, { state: 'failed', message })
  }
  return abandoned.length
}
