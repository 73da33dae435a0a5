import { randomUUIDv7 } from 'node:crypto'
import { toPropertiesText } from '#server/analytics/properties-text.ts'
import { sanitizeText } from '#server/db/sanitize.ts'
import { AppProblem, type CapturedEvent } from '../contract.ts'
import type { Limits } from '../limits.ts'
import type { CaptureBatch } from '../process/protocol.ts'

/** The number of events that the event store takes best in one write. */
const EVENTS_PER_WRITE = 4_000

/** Deeper properties overflow the stack of later readers. */
const MAX_DEPTH = 100

interface PendingBatch {
  readonly id: number
  readonly events: CapturedEvent[]
  readonly bytes: number
}

export interface CaptureQueue {
  add(batch: CaptureBatch, bytes: number): void
  /** Resolves when everything that was added is stored or has failed. */
  idle(): Promise<void>
}

export interface CaptureQueueOptions {
  readonly limits: Limits
  store(events: readonly CapturedEvent[]): Promise<void>
  /** Called when the batch is durable. */
  onStored(id: number): void
  onFailed(id: number, error: unknown): void
  /** Stops reading from an app that captures faster than the store writes. */
  pause(): void
  resume(): void
}

/** Stores captured events, one write at a time. Batches that arrive during a write share the next one. */
export function createCaptureQueue(options: CaptureQueueOptions): CaptureQueue {
  let pending: PendingBatch[] = []
  let unstoredBytes = 0
  let isPaused = false
  let storing: Promise<void> | undefined

  async function storeAll(): Promise<void> {
    while (pending.length > 0) await storeNext()
    storing = undefined
  }

  async function storeNext(): Promise<void> {
    const batches = takeWrite()
    try {
      await options.store(batches.flatMap((batch) => batch.events))
      for (const { id } of batches) options.onStored(id)
    } catch (error) {
      for (const { id } of batches) options.onFailed(id, error)
    }
    for (const { bytes } of batches) unstoredBytes -= bytes
    if (isPaused && unstoredBytes <= options.limits.maxUnstoredBytes / 2) {
      isPaused = false
      options.resume()
    }
  }

  /** Takes the batches of one write: at least one, then as many as fit. */
  function takeWrite(): PendingBatch[] {
    let events = 0
    const firstTooMany = pending.findIndex((batch) => {
      events += batch.events.length
      return events > EVENTS_PER_WRITE
    })
    const count = firstTooMany === -1 ? pending.length : Math.max(firstTooMany, 1)
    const batches = pending.slice(0, count)
    pending = pending.slice(count)
    return batches
  }

  return {
    add(batch, bytes) {
      if (batch.events.some(({ properties }) => isDeeperThan(properties, MAX_DEPTH))) {
        const problem = `An event's properties are nested more than ${MAX_DEPTH} levels deep.`
        return options.onFailed(batch.id, new AppProblem(problem))
      }
      pending.push({ id: batch.id, events: batch.events.map(toCapturedEvent), bytes })
      unstoredBytes += bytes
      if (!isPaused && unstoredBytes > options.limits.maxUnstoredBytes) {
        isPaused = true
        options.pause()
      }
      storing ??= storeAll()
    },
    idle: async () => storing,
  }
}

/** Serializes the properties again instead of passing the app's text on, so that only valid JSON is stored. */
function toCapturedEvent(event: CaptureBatch['events'][number]): CapturedEvent {
  return {
    uuid: event.uuid ?? randomUUIDv7(),
    event: sanitizeText(event.event),
    distinct_id: sanitizeText(event.distinct_id),
    timestamp: event.timestamp,
    properties: toPropertiesText(event.properties),
  }
}

function isDeeperThan(value: object, levels: number): boolean {
  if (levels === 0) return true
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null && isDeeperThan(inner, levels - 1)) return true
  }
  return false
}
