import type { EventStore } from '#server/analytics/event-store.ts'
import type { Db } from '#server/db/schema.ts'
import { AppProblem, type AppServices, type Progress } from '#server/runtime/contract.ts'
import type { WakeUps } from '#server/wake/wake-ups.ts'
import { updateRunProgress } from '../execution/claim-store.ts'
import type { LogWriter } from '../logs/log-writer.ts'
import { insertRun, type RunRow } from '../store.ts'
import { createAppCache } from './cache-store.ts'
import { createAppStorage } from './storage-store.ts'

/** Progress is written at most so often, however often the app tells it. */
const WRITE_EVERY_MS = 500
/** An app that queues without end must fail before it fills the database. */
const MAX_WAITING_JOBS = 1000

export interface RunContext {
  readonly db: Db
  readonly events: EventStore
  readonly wakeUps: WakeUps
  readonly logs: LogWriter
  readonly apiAccess: (projectId: number) => ReturnType<AppServices['apiAccess']>
}

/** What happened to the events of a run. */
export interface BatchCounts {
  readonly succeeded: number
  readonly failed: number
  readonly events: number
}

export interface RunServices extends AppServices {
  batchCounts(): BatchCounts
  /** Writes what was told last. */
  flush(): Promise<void>
}

/** What one run may do to the world: all of it on behalf of the run's own config. */
export function createRunServices(
  { db, events, wakeUps, logs, apiAccess }: RunContext,
  run: RunRow,
  pluginId: number,
): RunServices {
  const { project_id: projectId, config_id: configId } = run
  const counts = { succeeded: 0, failed: 0, events: 0 }
  let told: Progress = { done: 0, total: null, message: '' }
  let writing: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  const write = (): Promise<unknown> => {
    clearTimeout(timer)
    timer = undefined
    const columns = {
      done: told.done,
      total: told.total,
      progress: told.message,
      events: counts.events,
    }
    // what it says is for people to look at: a write that fails is no reason to end the run
    writing = writing.then(() => updateRunProgress(db, run, columns)).catch(() => {})
    return writing
  }
  const writeSoon = () => {
    timer ??= setTimeout(write, WRITE_EVERY_MS).unref()
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
      await requireRoom(db, configId)
      await insertRun(db, {
        project_id: projectId,
        config_id: configId,
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
      told = progress
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

async function requireRoom(db: Db, configId: number): Promise<void> {
  const { waiting } = await db
    .selectFrom('runs')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .where('config_id', '=', configId)
    .where('state', '=', 'queued')
    .executeTakeFirstOrThrow()
  if (Number(waiting) >= MAX_WAITING_JOBS) {
    throw new AppProblem(`${MAX_WAITING_JOBS} jobs of this app are waiting already.`)
  }
}
