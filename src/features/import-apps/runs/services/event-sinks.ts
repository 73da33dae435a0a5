import type { Appended, EventStore } from '#server/analytics/event-store.ts'
import type { Db } from '#server/db/schema.ts'
import { chunksOf } from '#server/db/values.ts'
import type { CapturedEvent } from '#server/runtime/contract.ts'
import { insertPreview, PREVIEW_LENGTH } from '../preview-store.ts'

/** Takes the events that a run captures. */
export interface EventSink {
  add(events: readonly CapturedEvent[]): Promise<void>
  /** Returns how many of the events were new, or null if that is unknown. */
  finish(): Promise<number | null>
}

/** PostgreSQL stores several appends at once, and the embedded store those that wait together. */
const EVENTS_PER_APPEND = 2000

/** Stores the events. */
export function createEventSink(events: EventStore, projectId: number): EventSink {
  const appended: Appended[] = []
  return {
    async add(captured) {
      const parts = [...chunksOf(captured, EVENTS_PER_APPEND)]
      const results = await Promise.allSettled(parts.map((part) => events.append(projectId, part)))
      for (const result of results) if (result.status === 'fulfilled') appended.push(result.value)
      const failed = results.find((result) => result.status === 'rejected')
      if (failed) throw failed.reason
    },
    async finish() {
      try {
        return await events.countNew(projectId, appended)
      } catch {
        return null // the events are stored; only their number is unknown
      }
    },
  }
}

/** Keeps the first events of a test run as its preview. */
export function createPreviewSink(db: Db, runId: string): EventSink {
  const first: CapturedEvent[] = []
  return {
    async add(captured) {
      first.push(...captured.slice(0, PREVIEW_LENGTH - first.length))
    },
    async finish() {
      await insertPreview(db, runId, first)
      return null
    },
  }
}
