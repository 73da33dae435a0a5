import type { App } from './app.ts'
import type { Skipped } from './skipped.ts'

export interface NewEvent {
  readonly uuid: string
  readonly event: string
  readonly distinct_id: string
  /** ISO 8601, UTC. undefined: now. */
  readonly timestamp: string | undefined
  readonly properties: Record<string, unknown>
}

export interface Delivery {
  /** The number of events that are stored. */
  readonly delivered: number
  /** Returns true if the caller should call `keepPace` before it adds more. */
  add(event: NewEvent): boolean
  /** Waits for earlier batches. More events can be prepared while the latest are stored. */
  keepPace(): Promise<void>
  /** Resolves when all added events are stored. */
  settle(): Promise<void>
}

/** Enough to keep the store busy, few enough for the memory. */
const BATCH_SIZE = 500
const MAX_BATCHES = 8

/** Events that are stored together: the runtime returns the same promise for all of them. */
interface Batch {
  readonly promise: Promise<unknown>
  count: number
}

/** Captures events without waiting for each one. The store sets the pace. */
export function createDelivery({ capture }: Pick<App, 'capture'>, skipped: Skipped): Delivery {
  let added = 0
  let last: Batch | undefined
  let waiting: Promise<void>[] = []
  const before: Promise<unknown>[] = []
  let delivered = 0
  let failure: { readonly error: unknown } | undefined

  const handleError = (error: unknown) => {
    // an event that is too large is skipped; any other error fails the run
    if (error instanceof Error && error.name === 'RangeError') skipped.add(error.message)
    else failure ??= { error }
  }

  const keepPace = async (maxBatches = MAX_BATCHES) => {
    before.push(Promise.all(waiting))
    waiting = []
    added = 0
    last = undefined
    while (before.length > maxBatches) await before.shift()
    if (failure) throw failure.error
  }

  return {
    get delivered() {
      return delivered
    },
    add({ event, uuid, distinct_id, timestamp, properties }) {
      // always set both, or imported properties with these names would be used instead
      properties.distinct_id = distinct_id
      properties.timestamp = timestamp ?? new Date().toISOString()
      const promise = capture(event, properties, { uuid })
      if (promise === last?.promise) last.count++
      else {
        const batch = { promise, count: 1 }
        last = batch
        // errors are stored and thrown later, since nothing awaits the promise yet
        waiting.push(
          promise.then(() => {
            delivered += batch.count
          }, handleError),
        )
      }
      added++
      return added >= BATCH_SIZE
    },
    keepPace: () => keepPace(),
    settle: () => keepPace(0),
  }
}
