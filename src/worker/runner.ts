import { waitAtMost } from '../concurrency.ts'
import { uuid } from '../db/values.ts'
import type { RunRow } from '../features/import-apps/queue/store.ts'
import { claimRun } from '../features/import-apps/runs/execution/claim-run.ts'
import {
  heartbeatRuns,
  listEnabledConfigIds,
  listRunStates,
} from '../features/import-apps/runs/execution/claim-store.ts'
import {
  executeRun,
  type RunDeps,
  recoverAbandonedRuns,
  type StopReason,
  settleRun,
} from '../features/import-apps/runs/execution/execute-run.ts'
import type { Attributes, Tracer } from '../telemetry/tracer.ts'
import { type Task, type TaskOptions, withoutOverlap } from './loops.ts'

export interface RunnerOptions extends TaskOptions {
  /** The number of slots: runs executed at the same time. */
  readonly concurrency: number
  readonly tracer: Tracer
}

/** Claims runs and executes them. Any number of runners may share a database. */
export interface Runner {
  /** Fills the free slots. */
  readonly claimRuns: Task
  readonly stopCanceledRuns: Task
  /** Renews the leases of the active runs and takes over those of dead workers. */
  readonly heartbeat: Task
  /** Gives active runs some time to finish, then puts the rest back into the queue. */
  drain(): Promise<void>
}

/** Runs that take longer go back to the queue; the whole stop takes at most 5 s. */
const DRAIN_TIMEOUT_MS = 3000

interface ActiveRun {
  readonly control: AbortController
  readonly finished: Promise<void>
  /** Stops renewing the lease: if the outcome cannot be stored in time, another worker starts the run again. */
  isSettling: boolean
}

export function createRunner(deps: RunDeps, options: RunnerOptions): Runner {
  const { db, runtime } = deps
  const { log, concurrency, isStopping, tracer } = options
  const workerId = uuid()
  const active = new Map<string, ActiveRun>()
  /** The active runs that only wait, so that others may use their slots. */
  const idle = new Set<string>()
  const warmConfigs = new Set<number>()

  const claimRuns = withoutOverlap(
    'claiming runs',
    async () => {
      while (!isStopping() && active.size - idle.size < concurrency) {
        const run = await claimRun(db, { worker: workerId, slots: concurrency, idle: [...idle] })
        if (!run) return
        startRun(run)
      }
    },
    options,
  )

  /**
   * Frees the slot of a run while it only waits, for as many runs as there are slots, because each keeps a process. The
   * run needs no free slot to resume its work.
   */
  function setIdle(id: string, isIdle: boolean): void {
    if (!isIdle) idle.delete(id)
    else if (active.has(id) && idle.size < concurrency) {
      idle.add(id)
      void claimRuns()
    }
  }

  function startRun(run: RunRow): void {
    warmConfigs.add(run.config_id)
    const control = new AbortController()
    const finished = runToEnd(run, control)
      .catch((err) => log.error({ err, run: run.id }, 'could not store how a run ended'))
      .finally(() => {
        active.delete(run.id)
        idle.delete(run.id)
        void claimRuns()
      })
    active.set(run.id, { control, finished, isSettling: false })
  }

  async function runToEnd(run: RunRow, { signal }: AbortController): Promise<void> {
    const attributes = toAttributes(run)
    await tracer.run(
      `run ${run.kind}`,
      { kind: 'consumer', parent: null, attributes },
      async (span) => {
        const result = await executeRun(deps, run, signal, (isIdle) => setIdle(run.id, isIdle))
        const entry = active.get(run.id)
        if (entry) entry.isSettling = true
        await settleRun(deps, run, result, signal.reason)
        const { ended } = result.outcome
        span?.set({ 'hedgerow.run.outcome': ended, 'hedgerow.run.events': result.batches.events })
        if (ended === 'failed') span?.end(ended)
      },
    )
  }

  /** Checks only runs that started before the query, because its result lacks later ones. */
  async function stopRunsBy(queryStates: typeof heartbeatRuns): Promise<void> {
    const checked = [...active].filter(([, { isSettling }]) => !isSettling)
    if (checked.length === 0) return
    const ids = checked.map(([id]) => id)
    const states = await queryStates(db, workerId, ids)
    for (const [id, { control }] of checked) {
      const state = states.get(id)
      if (!state) stopRun(control, 'lost')
      else if (state.canceled) stopRun(control, 'canceled')
    }
  }

  /** A process stays warm for the next run of its config, unless the config has been disabled. */
  async function endIdleProcesses(): Promise<void> {
    const enabled = await listEnabledConfigIds(db, [...warmConfigs])
    for (const config of warmConfigs) {
      if (enabled.has(config)) continue
      warmConfigs.delete(config)
      await runtime.evict(config)
    }
  }

  const allFinished = (): Promise<unknown> =>
    Promise.all([...active.values()].map(({ finished }) => finished))

  return {
    claimRuns,
    stopCanceledRuns: withoutOverlap(
      'stopping canceled runs',
      () => stopRunsBy(listRunStates),
      options,
    ),
    heartbeat: withoutOverlap(
      'heartbeat',
      async () => {
        await stopRunsBy(heartbeatRuns)
        await endIdleProcesses()
        if ((await recoverAbandonedRuns(deps)) > 0) await claimRuns()
      },
      options,
    ),
    async drain() {
      await claimRuns() // a claim under way may still add a run
      await waitAtMost(allFinished(), DRAIN_TIMEOUT_MS)
      for (const { control } of active.values()) stopRun(control, 'stopping')
      await allFinished()
    },
  }
}

const toAttributes = ({ id, project_id, config_id, attempt }: RunRow): Attributes => ({
  'hedgerow.run.id': id,
  'hedgerow.project_id': project_id,
  'hedgerow.config_id': config_id,
  'hedgerow.run.attempt': attempt,
})

const stopRun = (control: AbortController, reason: StopReason): void => control.abort(reason)
