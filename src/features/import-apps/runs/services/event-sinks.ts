import type { Appended, EventStore } from '#server/analytics/event-store.ts'
import type { Db } from '#server/db/schema.ts'
import type { CapturedEvent } from '#server/runtime/contract.ts'
import { insertPreview, PREVIEW_LENGTH } from '../preview-store.ts'

/** Takes the events that a run captures. */
export interface EventSink {
  add(events: readonly CapturedEvent[]): Promise<void>
  /** Returns how many of the events were new, or null if that is unknown. */
  finish(): Promise<number | null>
}

/** Stores the events. */
export function createEventSink(events: EventStore, projectId: number): EventSink {
  const appended: Appended[] = []
  return {
    async add(captured) {
      appended.push(await events.append(projectId, captured))
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
