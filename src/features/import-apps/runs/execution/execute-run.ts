import { setTimeout as sleep } from 'node:timers/promises'
import { ON_REQUEST, SET_UP } from '#model/app-limitation.ts'
import { changeProject } from '#server/db/change.ts'
import { describeOutage } from '#server/db/storage-problem.ts'
import { now } from '#server/db/values.ts'
import { makeAlertsDue } from '#server/features/import-apps/alerts-due.ts'
import { settleWindow } from '#server/features/import-apps/backfills/settle-window.ts'
import type { RunRow } from '#server/features/import-apps/queue/store.ts'
import type { AppOutcome, AppTask, Runtime } from '#server/runtime/contract.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { addMetrics } from '../metrics/metrics-store.ts'
import { deleteSkippedRows } from '../preview-store.ts'
import {
  type BatchCounts,
  createRunServices,
  type RunServices,
  type RunServicesDeps,
} from '../services/run-services.ts'
import { noteShape } from '../shapes/note-shape.ts'
import {
  endRun,
  LEASE_S,
  listAbandonedRuns,
  MAX_ATTEMPTS,
  type Requeue,
  type RunEnding,
  requeueRun,
} from './claim-store.ts'
import { loadAppSpec } from './load-app-spec.ts'
import { planRetry } from './retries.ts'
import { runRequests } from './run-requests.ts'

export interface RunDeps extends RunServicesDeps {
  readonly runtime: Runtime
  readonly secrets: Secrets
  /** Reports an error that is not the app's fault to the operator. */
  readonly report: (error: unknown, run: RunRow) => void
}

/** The reason for stopping an active run. `lost`: another worker has taken it over. */
export type StopReason = 'canceled' | 'lost' | 'stopping'

/** Executes a claimed run. Never rejects. */
export function executeRun(
  deps: RunDeps,
  run: RunRow,
  signal: AbortSignal,
  setIdle?: (isIdle: boolean) => void,
): Promise<RunResult> {
  return runApp(deps, run, signal, setIdle).catch((error) => {
    deps.report(error, run)
    return toInfrastructureFailure(error)
  })
}

/** Stores the outcome of a run. Throws if the database was unavailable for as long as the lease. */
export async function settleRun(
  deps: RunDeps,
  run: RunRow,
  { outcome, batches }: RunResult,
  reason: StopReason | undefined,
): Promise<void> {
  if (reason === 'lost') return // its new worker stores the outcome
  if (outcome.ended === 'cancelled' && reason === 'stopping') {
    const message = 'The server stopped. The run will start again.'
    const attempt = run.attempt - 1
    await untilStored(() => requeueRun(deps.db, run, { message, delaySeconds: 0, attempt }))
    return
  }
  const isRetryable = outcome.ended === 'failed' && outcome.by === 'infrastructure'
  const tries = toTries(run)
  if (isRetryable && tries < MAX_ATTEMPTS) {
    const delaySeconds = toBackoffSeconds(tries)
    const message = `${outcome.message} Attempt ${tries} of ${MAX_ATTEMPTS}, retrying in ${delaySeconds} s.`
    return retryLater(deps, run, { message, delaySeconds })
  }
  const planned = await untilStored(() => planRetry(deps.db, run, outcome))
  if (planned) return retryLater(deps, run, planned)
  const ending = toEnding(run, outcome, batches)
  await logFailure(deps, run, ending)
  await untilStored(() => finishRun(deps, run, ending, batches))
}

const STORE_AGAIN_MS = 500

/** Retries until the lease ends, after which another worker restarts the run. */
async function untilStored<T>(store: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + LEASE_S * 1000
  for (;;) {
    try {
      return await store()
    } catch (error) {
      if (performance.now() > giveUpAt) throw error
      await sleep(STORE_AGAIN_MS)
    }
  }
}

export interface RunResult {
  readonly outcome: AppOutcome
  readonly batches: BatchCounts
}

const NO_BATCHES: BatchCounts = {
  succeeded: 0,
  failed: 0,
  events: 0,
  newEvents: null,
  skipped: 0,
  shape: {},
}

const withoutApp = (outcome: AppOutcome): RunResult => ({ outcome, batches: NO_BATCHES })

function toInfrastructureFailure(error: Error): RunResult {
  const message = describeOutage(error) ?? error.message
  return withoutApp({ ended: 'failed', by: 'infrastructure', message })
}

/** Loads the app of the run's config and hands it the task. */
async function runApp(
  deps: RunDeps,
  run: RunRow,
  signal: AbortSignal,
  setIdle: RunServices['setIdle'],
): Promise<RunResult> {
  const loaded = await loadAppSpec(deps, run)
  if ('refused' in loaded) return withoutApp(loaded.refused)
  if (run.attempt > 1 && run.retries === 0) await deleteSkippedRows(deps.db, run.id)
  const services = { ...createRunServices(deps, run, loaded.spec.pluginId), setIdle }
  const { hasEnough } = services
  try {
    const stop = AbortSignal.any([signal, hasEnough])
    const outcome =
      run.name === ON_REQUEST && run.kind === 'schedule'
        ? await runRequests(deps, run, { spec: loaded.spec, services }, stop)
        : await deps.runtime.run(loaded.spec, services, toAppTask(run), stop)
    const isEnough = outcome.ended === 'cancelled' && hasEnough.aborted && !signal.aborted
    const batches = await services.finish()
    return { outcome: isEnough ? { ended: 'succeeded' } : outcome, batches }
  } finally {
    await services.flush()
  }
}

/** Adds the operation and the run's id to the payload of a job from the API. Jobs that an app queued stay as they are. */
function toAppTask(run: RunRow): AppTask {
  const { id, kind, name, payload: json, operation, created_by } = run
  if (kind === 'schedule') {
    return { kind: name === SET_UP ? 'setup' : kind, name, payload: undefined }
  }
  const payload = JSON.parse(json) ?? undefined
  if (run.backfill_id !== null) return { kind: 'backfill', name, payload }
  if (created_by === null) return { kind, name, payload }
  return { kind, name, payload: { ...payload, $operation: operation, $job_id: id } }
}

const CANCELED: RunEnding = { state: 'cancelled', message: 'Canceled while running.' }

function toEnding(run: RunRow, outcome: AppOutcome, counts: BatchCounts): RunEnding {
  if (outcome.ended === 'failed') {
    const tried = outcome.by === 'infrastructure' ? ` The run was tried ${toTries(run)} times.` : ''
    return { state: 'failed', message: outcome.message + tried }
  }
  if (outcome.ended === 'cancelled') {
    return { ...CANCELED, ...(outcome.message && { message: outcome.message }) }
  }
  return { state: 'succeeded', message: toSummary(run, counts) }
}

function toSummary({ dry_run }: RunRow, { events, newEvents, skipped }: BatchCounts): string {
  if (dry_run === 1) return `Would capture ${events} events, ${skipped} rows skipped.`
  if (events === 0) return ''
  const isAllNew = newEvents === null || newEvents === events
  return isAllNew ? `Captured ${events} events.` : `Captured ${events} events, ${newEvents} new.`
}

/** Stores all log lines of the run before the run counts as finished. */
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
  { succeeded, failed, events, newEvents, skipped, shape } = NO_BATCHES,
): Promise<void> {
  return changeProject(db, run.project_id, async (tx) => {
    const schema_change = await noteShape(tx, run, ending, shape)
    if (!(await endRun(tx, run, { ...ending, schema_change })) || run.dry_run === 1) return
    await settleWindow(tx, run, { ...ending, events, new_events: newEvents, skipped })
    await makeAlertsDue(tx, run.config_id)
    await addMetrics(tx, run.config_id, {
      runs_succeeded: ending.state === 'succeeded' ? 1 : 0,
      runs_failed: ending.state === 'failed' ? 1 : 0,
      deliveries_succeeded: succeeded,
      deliveries_failed: failed,
      events: newEvents ?? events,
    })
  })
}

/** Counts the attempts that ended through no fault of the app or of the servers that it requests. */
const toTries = ({ attempt, retries }: RunRow): number => attempt - retries

/** Doubles the delay with each attempt. */
const toBackoffSeconds = (attempt: number): number => 2 ** attempt

async function retryLater({ db, logs }: RunDeps, run: RunRow, requeue: Requeue): Promise<void> {
  logs.write(run, { source: 'SYSTEM', type: 'WARN', message: requeue.message, at: now() })
  await logs.flush()
  await untilStored(() => requeueRun(db, run, requeue))
}

/**
 * Requeues the runs of dead workers at once, since the lease was delay enough, and ends those that were canceled or
 * have no attempts left. Returns their number.
 */
export async function recoverAbandonedRuns(deps: RunDeps): Promise<number> {
  const abandoned = await listAbandonedRuns(deps.db)
  for (const run of abandoned) await recoverRun(deps, run)
  return abandoned.length
}

async function recoverRun(deps: RunDeps, run: RunRow): Promise<void> {
  if (run.cancel_requested === 1) return finishRun(deps, run, CANCELED)
  if (toTries(run) >= MAX_ATTEMPTS) {
    const message = `The worker died ${MAX_ATTEMPTS} times.`
    return finishRun(deps, run, { state: 'failed', message })
  }
  const message = `The worker died. Attempt ${toTries(run)} of ${MAX_ATTEMPTS}, starting again.`
  if (!(await requeueRun(deps.db, run, { message, delaySeconds: 0 }))) return
  deps.logs.write(run, { source: 'SYSTEM', type: 'WARN', message, at: now() })
}
