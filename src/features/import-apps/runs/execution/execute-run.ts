import { changeProject } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import type { AppOutcome, AppTask, Runtime } from '#server/runtime/contract.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { addMetrics } from '../metrics/metrics-store.ts'
import { type BatchCounts, createRunServices, type RunContext } from '../services/run-services.ts'
import type { RunRow } from '../store.ts'
import { endRun, MAX_ATTEMPTS, type RunEnding, requeueRun } from './claim-store.ts'
import { loadAppSpec } from './load-app-spec.ts'
import { isStale } from './schedules.ts'

export interface RunDeps extends RunContext {
  readonly runtime: Runtime
  readonly secrets: Secrets
  /** What went wrong and is not the app's doing is for the operator to know. */
  readonly report: (error: unknown, run: RunRow) => void
}

/** Why a run that was begun is ended from outside. */
export type StopReason = 'cancelled' | 'lost' | 'stopping'

/** Runs what was claimed and says how it ended. Throws only when the storage cannot be written. */
export async function executeRun(
  executor: RunDeps,
  run: RunRow,
  signal: AbortSignal,
): Promise<void> {
  const { outcome, deliveries } = await runApp(executor, run, signal).catch((error) => {
    executor.report(error, run)
    return toFault(error)
  })
  if (signal.reason === 'lost') return // how it ends is for whoever has it now to say
  if (outcome.ended === 'cancelled' && signal.reason === 'stopping') {
    await requeueRun(executor.db, run, 'The server stopped. It will run again.', 0, run.attempt - 1)
    return
  }
  const isFault = outcome.ended === 'failed' && outcome.by === 'infrastructure'
  if (isFault && (await retryLater(executor, run, outcome.message))) return
  await settle(executor, run, toEnding(outcome, deliveries), deliveries)
}

interface RunResult {
  readonly outcome: AppOutcome
  readonly deliveries: BatchCounts
}

const NO_DELIVERIES: BatchCounts = { succeeded: 0, failed: 0, events: 0 }

const toFault = ({ message }: Error): RunResult => ({
  outcome: { ended: 'failed', by: 'infrastructure', message },
  deliveries: NO_DELIVERIES,
})

async function runApp(executor: RunDeps, run: RunRow, signal: AbortSignal): Promise<RunResult> {
  const { db, secrets, runtime } = executor
  if (run.kind === 'schedule' && isStale(run.name, run.created_at, Date.now())) {
    const message = 'It waited for longer than its period.'
    return { outcome: { ended: 'cancelled', message }, deliveries: NO_DELIVERIES }
  }
  const app = await loadAppSpec(db, secrets, run)
  if ('refused' in app) return { outcome: app.refused, deliveries: NO_DELIVERIES }
  const services = createRunServices(executor, run, app.spec.pluginId)
  try {
    const outcome = await runtime.run(app.spec, services, toAppTask(run), signal)
    return { outcome, deliveries: services.batchCounts() }
  } finally {
    await services.flush()
  }
}

/** A job from the API learns how it was asked for; one that the app queued gets what the app gave it. */
function toAppTask({ id, kind, name, payload, operation, created_by }: RunRow): AppTask {
  const given = JSON.parse(payload) ?? undefined
  if (kind === 'schedule') return { kind, name, payload: undefined }
  if (created_by === null) return { kind, name, payload: given }
  return { kind, name, payload: { ...given, $operation: operation, $job_id: id } }
}

function toEnding(outcome: AppOutcome, { events }: BatchCounts): RunEnding {
  if (outcome.ended === 'failed') return { state: 'failed', message: outcome.message }
  if (outcome.ended === 'cancelled') {
    return { state: 'cancelled', message: outcome.message ?? 'Cancelled while it ran.' }
  }
  return { state: 'succeeded', message: events === 0 ? '' : `Captured ${events} events.` }
}

async function settle(
  { db, logs }: RunDeps,
  run: RunRow,
  ending: RunEnding,
  deliveries: BatchCounts,
): Promise<void> {
  if (ending.state === 'failed') {
    const message = `${run.name || 'The run'} failed: ${ending.message}`
    logs.write(run, { source: 'SYSTEM', type: 'ERROR', message, at: now() })
  }
  await logs.flush()
  await finishRun(db, run, ending, deliveries)
}

/** Ends a run that is still ours, and counts it in the same commit. */
export function finishRun(
  db: Db,
  run: RunRow,
  ending: RunEnding,
  { succeeded, failed, events } = NO_DELIVERIES,
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

/** Twice as long each time, so that whatever is broken has time to come back. */
const backOffSeconds = (attempt: number): number => 2 ** attempt

/** False: it was tried often enough. */
export async function retryLater(
  { db, logs }: RunContext,
  run: RunRow,
  reason: string,
): Promise<boolean> {
  if (run.attempt >= MAX_ATTEMPTS) return false
  const seconds = backOffSeconds(run.attempt)
  const message = `${reason} Attempt ${run.attempt} of ${MAX_ATTEMPTS}; trying again in ${seconds} s.`
  logs.write(run, { source: 'SYSTEM', type: 'WARN', message, at: now() })
  await logs.flush()
  await requeueRun(db, run, message, seconds)
  return true
}
