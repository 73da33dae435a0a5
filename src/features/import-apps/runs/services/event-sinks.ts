import { deserialize } from 'node:v8'
import type { PackedEvents } from '#server/analytics/event-batch.ts'
import type { EventRow } from '#server/analytics/event-row.ts'
import type { Appended, EventStore } from '#server/analytics/event-store.ts'
import { isLarge, toSearchable } from '#server/analytics/full-properties.ts'
import type { Db } from '#server/db/schema.ts'
import { chunksOf } from '#server/db/values.ts'
import type { CapturedEvent } from '#server/runtime/contract.ts'
import { giveWay } from '#server/turns.ts'
import { insertPreview, PREVIEW_LENGTH } from '../preview-store.ts'
import type { RunPreview } from '../schema.ts'

type PreviewedEvent = RunPreview['events'][number]

/** Takes the events that a run captures. */
export interface EventSink {
  add(events: readonly CapturedEvent[]): Promise<void>
  /** Takes events that another thread has prepared. */
  addPacked(events: readonly PackedEvents[]): Promise<void>
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
    async addPacked(packed) {
      appended.push(await events.appendPacked(projectId, packed))
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

/** Keeps the first events that a test captures. */
export function createPreview() {
  const first: PreviewedEvent[] = []
  async function add(captured: readonly (CapturedEvent | EventRow)[]): Promise<void> {
    for (const event of captured) {
      if (first.length === PREVIEW_LENGTH) return
      first.push(toPreviewedEvent(event))
      await giveWay() // a large event takes some milliseconds
    }
  }
  return {
    events: first as readonly PreviewedEvent[],
    add,
    async addPacked(packed: readonly PackedEvents[]): Promise<void> {
      for (const { bytes } of packed)
        if (first.length < PREVIEW_LENGTH) await add(deserialize(bytes))
    },
  }
}

/** Stores the first events of a test run as its preview. */
export function createPreviewSink(db: Db, runId: string): EventSink {
  const { events, add, addPacked } = createPreview()
  return {
    add,
    addPacked,
    async finish() {
      await insertPreview(db, runId, events)
      return null
    },
  }
}

/** Keeps only the part of large properties that queries read. */
const toPreviewedEvent = ({
  event,
  distinct_id,
  timestamp,
  properties,
}: CapturedEvent | EventRow): PreviewedEvent => ({
  event,
  distinct_id,
  timestamp: new Date(timestamp).toISOString(),
  properties: JSON.parse(isLarge(properties) ? toSearchable(properties) : properties),
})
