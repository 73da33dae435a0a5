import { randomUUID } from 'node:crypto'
import { toPropertiesText } from '#server/analytics/properties-text.ts'
import { toStorableText } from '#server/db/storable.ts'
import { AppProblem, type CapturedEvent } from '../contract.ts'
import type { Limits } from '../limits.ts'
import type { CaptureBatch } from '../process/protocol.ts'

/** As many as the event store likes to be given at once. */
const TOGETHER = 4_000

/** Deeper ones overflow the stacks of those who read them later. */
const MAX_DEPTH = 100

export interface CaptureQueue {
  add(batch: CaptureBatch, bytes: number): void
}

export interface CaptureQueueOptions {
  readonly limits: Limits
  store(events: readonly CapturedEvent[]): Promise<void>
  /** The batch with this id is durable, or is not. */
  stored(id: number): void
  failed(id: number, error: unknown): void
  /** The store is slower than the app. */
  hold(): void
  release(): void
}

/** One write at a time; what arrives meanwhile is written together. */
export function createCaptureQueue(options: CaptureQueueOptions): CaptureQueue {
  let waiting: { id: number; events: CapturedEvent[]; bytes: number }[] = []
  let unstored = 0
  let isHeld = false
  let isBusy = false

  async function work(): Promise<void> {
    isBusy = true
    while (waiting.length > 0) await storeNext()
    isBusy = false
  }

  async function storeNext(): Promise<void> {
    let count = 0
    const fits = waiting.findIndex((batch) => {
      count += batch.events.length
      return count > TOGETHER
    })
    const batches = waiting.slice(0, fits === -1 ? waiting.length : Math.max(fits, 1))
    waiting = waiting.slice(batches.length)
    try {
      await options.store(batches.flatMap((batch) => batch.events))
      for (const { id } of batches) options.stored(id)
    } catch (error) {
      for (const { id } of batches) options.failed(id, error)
    }
    for (const { bytes } of batches) unstored -= bytes
    if (isHeld && unstored <= options.limits.maxUnstoredBytes / 2) {
      isHeld = false
      options.release()
    }
  }

  return {
    add(batch, bytes) {
      if (batch.events.some(({ properties }) => isDeeper(properties, MAX_DEPTH))) {
        const problem = `An event's properties are nested more than ${MAX_DEPTH} levels deep.`
        return options.failed(batch.id, new AppProblem(problem))
      }
      waiting.push({ id: batch.id, events: batch.events.map(toCapturedEvent), bytes })
      unstored += bytes
      if (!isHeld && unstored > options.limits.maxUnstoredBytes) {
        isHeld = true
        options.hold()
      }
      if (!isBusy) void work()
    },
  }
}

/** Written anew, and not passed on: nothing that only looks like JSON gets through. */
function toCapturedEvent(event: CaptureBatch['events'][number]): CapturedEvent {
  return {
    uuid: event.uuid ?? randomUUID(),
    event: toStorableText(event.event),
    distinct_id: toStorableText(event.distinct_id),
    timestamp: event.timestamp,
    properties: toPropertiesText(event.properties),
  }
}

function isDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null && isDeeper(inner, levels - 1)) return true
  }
  return false
}
