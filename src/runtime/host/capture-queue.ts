import { AppProblem, type AppServices, type CapturedEvent } from '../contract.ts'
import type { Limits } from '../limits.ts'
import { MAX_SMALL_BATCH } from '../wire/protocol.ts'
import { parseEvents } from './captured-event.ts'

/** The number of events that the event store takes best in one write. */
const EVENTS_PER_WRITE = 4_000

interface PendingBatch {
  readonly id: number
  readonly bytes: number
  /** The events, or the JSON of a batch that is too large to be read in the main thread. */
  readonly content: readonly CapturedEvent[] | Uint8Array<ArrayBuffer>
}

export interface CaptureQueue {
  /** Adds a batch as JSON. Throws a `BrokenFrame`. */
  add(id: number, json: Buffer): void
  /** Resolves when everything that was added is stored or has failed. */
  idle(): Promise<void>
}

export interface CaptureQueueOptions {
  readonly limits: Limits
  readonly services: Pick<AppServices, 'capture' | 'captureLarge'>
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
      await store(batches)
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

  function store(batches: readonly PendingBatch[]): Promise<void> {
    const [{ content }] = batches as [PendingBatch]
    if (content instanceof Uint8Array) return options.services.captureLarge(content)
    return options.services.capture(batches.flatMap((batch) => batch.content as CapturedEvent[]))
  }

  /** Takes the batches of one write: a large one, or as many small ones as fit. */
  function takeWrite(): PendingBatch[] {
    let events = 0
    const firstTooMany = pending.findIndex(({ content }) => {
      events += content instanceof Uint8Array ? EVENTS_PER_WRITE + 1 : content.length
      return events > EVENTS_PER_WRITE
    })
    const count = firstTooMany === -1 ? pending.length : Math.max(firstTooMany, 1)
    const batches = pending.slice(0, count)
    pending = pending.slice(count)
    return batches
  }

  return {
    add(id, json) {
      const content = read(json)
      if (content instanceof AppProblem) return options.onFailed(id, content)
      const bytes = json.length
      pending.push({ id, content, bytes })
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

/** Copies a large batch, because another thread takes over its memory. */
function read(json: Buffer): PendingBatch['content'] | AppProblem {
  if (json.length > MAX_SMALL_BATCH) return new Uint8Array(json)
  try {
    return parseEvents(json)
  } catch (error) {
    if (error instanceof AppProblem) return error
    throw error
  }
}
