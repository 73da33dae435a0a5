import { MAX_SKIPPED_ROWS, MAX_TEST_ROWS } from '#model/limits.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { Db } from '#server/db/schema.ts'
import { convertAppEvents } from '#server/features/events/capture/convert-app-events.ts'
import type { Converter } from '#server/features/events/capture/converter.ts'
import { countQueuedRuns, queueRun, type RunRow } from '#server/features/import-apps/queue/store.ts'
import { AppProblem, type AppServices, type Progress } from '#server/runtime/contract.ts'
import type { WakeUps } from '#server/wake/wake-ups.ts'
import { updateRunProgress } from '../execution/claim-store.ts'
import type { LogWriter } from '../logs/log-writer.ts'
import { insertSkippedRows } from '../preview-store.ts'
import { createShapeSample, type EventShape } from '../shapes/event-shape.ts'
import type { ApiAccess } from './api-access.ts'
import { createAppCache } from './cache-store.ts'
import { createEventSink, createPreviewSink } from './event-sinks.ts'
import { createAppStorage } from './storage-store.ts'
import { createTestCache, createTestStorage } from './test-state.ts'

/** The shortest time between two writes of a run's progress. */
const PROGRESS_INTERVAL_MS = 500
/** Stops an app that queues jobs in an endless loop before it fills the database. */
const MAX_QUEUED_JOBS = 1000

const FIRST_ATTEMPT = { events: 0, skipped: 0, new_events: 0 }

export interface RunServicesDeps {
  readonly db: Db
  readonly events: EventStore
  readonly converter: Converter
  readonly wakeUps: WakeUps
  readonly logs: LogWriter
  readonly apiAccess: (projectId: number) => Promise<ApiAccess>
}

/** Counts the batches of events that a run captured, their events, and the rows that it skipped. */
export interface BatchCounts {
  readonly succeeded: number
  readonly failed: number
  readonly events: number
  /** null while it is unknown, and for a test run. */
  readonly newEvents: number | null
  readonly skipped: number
  /** The properties of the first events. */
  readonly shape: EventShape
}

export interface RunServices extends AppServices {
  /** Aborted when a test run has read enough. */
  readonly hasEnough: AbortSignal
  /** Returns the final counts. */
  finish(): Promise<BatchCounts>
  /** Resolves when the latest progress is stored. */
  flush(): Promise<void>
}

/** Creates the services for the app of one run, all limited to the run's config. */
export function createRunServices(
  { db, events, converter, wakeUps, logs, apiAccess }: RunServicesDeps,
  run: RunRow,
  pluginId: number,
): RunServices {
  const { project_id: projectId, config_id: configId } = run
  const isTest = run.dry_run === 1
  const isBackfill = run.backfill_id !== null
  const sink = isTest ? createPreviewSink(db, run.id) : createEventSink(events, projectId)
  const enough = new AbortController()
  const shapes = createShapeSample()
  // a retry continues the counts of the attempts that failed
  const {
    events: eventsBefore,
    skipped,
    new_events: newBefore,
  } = run.retries > 0 ? run : FIRST_ATTEMPT
  const counts = { succeeded: 0, failed: 0, events: eventsBefore, skipped }
  let newEvents: number | null = null
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
      skipped: counts.skipped,
      new_events: newEvents,
    }
    // progress is only for display: a failed write must not end the run
    writing = writing.then(() => updateRunProgress(db, run, columns)).catch(() => {})
    return writing
  }
  const writeSoon = () => {
    timer ??= setTimeout(write, PROGRESS_INTERVAL_MS).unref()
    if (isTest && counts.events + counts.skipped >= MAX_TEST_ROWS) enough.abort()
  }

  const countBatch = async (length: number, adding: Promise<void>): Promise<void> => {
    try {
      await adding
    } catch (error) {
      counts.failed++
      throw error
    }
    counts.succeeded++
    counts.events += length
    writeSoon()
  }

  return {
    storage: isTest || isBackfill ? createTestStorage() : createAppStorage(db, configId),
    cache: isTest ? createTestCache() : createAppCache(db, projectId, pluginId),
    capture: (captured) => {
      if (!isTest) shapes.add(captured)
      return countBatch(captured.length, sink.add(captured))
    },
    captureLarge: (json) =>
      convertAppEvents(converter, json, (packed) =>
        countBatch(
          packed.reduce((total, { count }) => total + count, 0),
          sink.addPacked(packed),
        ),
      ),
    async skip(rows) {
      const room = Math.max(0, MAX_SKIPPED_ROWS - counts.skipped)
      const position = counts.skipped
      counts.skipped += rows.length
      await insertSkippedRows(db, run.id, position, rows.slice(0, room))
      writeSoon()
    },
    async enqueue({ name, payload, runAt }) {
      if (isTest) return
      // the job would run with the live state
      if (isBackfill) throw new AppProblem('A backfill cannot queue jobs.')
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
    apiAccess: async () => {
      if (isTest) throw new AppProblem('A test run stores nothing, so it has no posthog.api.')
      return apiAccess(projectId)
    },
    hasEnough: enough.signal,
    async finish() {
      const added = await sink.finish()
      newEvents = added === null || newBefore === null ? null : newBefore + added
      writeSoon()
      return { ...counts, newEvents, shape: shapes.read() }
    },
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
