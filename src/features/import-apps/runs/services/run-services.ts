import type { EventStore } from '#server/analytics/event-store.ts'
import type { Db } from '#server/db/schema.ts'
import { AppProblem, type AppServices, type Progress } from '#server/runtime/contract.ts'
import type { WakeUps } from '#server/wake/wake-ups.ts'
import { updateRunProgress } from '../execution/claim-store.ts'
import type { LogWriter } from '../logs/log-writer.ts'
import { countQueuedRuns, queueRun, type RunRow } from '../store.ts'
import type { ApiAccess } from './api-access.ts'
import { createAppCache } from './cache-store.ts'
import { createAppStorage } from './storage-store.ts'

/** The shortest time between two writes of a run's progress. */
const PROGRESS_INTERVAL_MS = 500
/** Stops an app that queues jobs in an endless loop before it fills the database. */
const MAX_QUEUED_JOBS = 1000

export interface RunServicesDeps {
  readonly db: Db
  readonly events: EventStore
  readonly wakeUps: WakeUps
  readonly logs: LogWriter
  readonly apiAccess: (projectId: number) => Promise<ApiAccess>
}

/** Counts the batches of events that a run captured, and their events. */
export interface BatchCounts {
  readonly succeeded: number
  readonly failed: number
  readonly events: number
}

export interface RunServices extends AppServices {
  batchCounts(): BatchCounts
  /** Resolves when the latest progress is stored. */
  flush(): Promise<void>
}

/** Returns the services for the app of one run, all limited to the run's config. */
export function createRunServices(
  { db, events, wakeUps, logs, apiAccess }: RunServicesDeps,
  run: RunRow,
  pluginId: number,
): RunServices {
  const { project_id: projectId, config_id: configId } = run
  const counts = { succeeded: 0, failed: 0, events: 0 }
  let latest: Progress = { done: 0, total: null, message: '' }
  let writing: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  const write = (): Promise<unknown> => {
    clearTimeout(timer)
    timer = undefined
    const columns = {
      done: latest.done,
      total: latest.total,
      progress: latest.message,
      events: counts.events,
    }
    // progress is only for display: a failed write must not end the run
    writing = writing.then(() => updateRunProgress(db, run, columns)).catch(() => {})
    return writing
  }
  const writeSoon = () => {
    timer ??= setTimeout(write, PROGRESS_INTERVAL_MS).unref()
  }

  return {
    storage: createAppStorage(db, configId),
    cache: createAppCache(db, projectId, pluginId),
    async capture(captured) {
      try {
        await events.append(projectId, captured)
      } catch (error) {
        counts.failed++
        throw error
      }
      counts.succeeded++
      counts.events += captured.length
      writeSoon()
    },
    async enqueue({ name, payload, runAt }) {
      await requireQueueSpace(db, configId)
      await queueRun(db, {
        project_id: projectId,
        config_id: configId,
        plugin_id: pluginId,
        by_app: 1,
        kind: 'job',
        name,
        payload,
        run_at: runAt,
        created_by: null,
      })
      wakeUps.notify()
    },
    log: (line) => logs.write(run, line),
    progress(progress) {
      latest = progress
      writeSoon()
    },
    apiAccess: () => apiAccess(projectId),
    batchCounts: () => ({ ...counts }),
    flush: async () => {
      if (timer) await write()
      await writing
    },
  }
}

async function requireQueueSpace(db: Db, configId: number): Promise<void> {
  if ((await countQueuedRuns(db, configId)) < MAX_QUEUED_JOBS) return
  throw new AppProblem(`This app already has ${MAX_QUEUED_JOBS} jobs in the queue.`)
}
