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
  /** How many are stored for certain. */
  readonly delivered: number
  /** Whether so many are waiting now that it is time to keep pace. */
  add(event: NewEvent): boolean
  /** Waits for those before the ones that wait now: while these are stored, more can be made. */
  keepPace(): Promise<void>
  /** Resolves when all that was added is stored. */
  settle(): Promise<void>
}

/** Enough to keep the store busy, few enough to be held in memory. */
const AT_A_TIME = 500
const TIMES = 8

/** Events that are stored together: the runtime answers for all of them with one promise. */
interface Together {
  readonly promise: Promise<unknown>
  count: number
}

/** Hands events over without waiting for each: the store sets the pace. */
export function createDelivery({ capture }: Pick<App, 'capture'>, skipped: Skipped): Delivery {
  let added = 0
  let last: Together | undefined
  let waiting: Promise<void>[] = []
  const before: Promise<unknown>[] = []
  let delivered = 0
  let failure: { readonly error: unknown } | undefined

  const isRefused = (error: unknown) => {
    // what is too large is this one event's fault; anything else is for the run to fail of
    if (error instanceof Error && error.name === 'RangeError') skipped.add(error.message)
    else failure ??= { error }
  }

  const keepPace = async (times = TIMES) => {
    before.push(Promise.all(waiting))
    waiting = []
    added = 0
    last = undefined
    while (before.length > times) await before.shift()
    if (failure) throw failure.error
  }

  return {
    get delivered() {
      return delivered
    },
    add({ event, uuid, distinct_id, timestamp, properties }) {
      // always both: data of the same names would be taken for them
      properties.distinct_id = distinct_id
      properties.timestamp = timestamp ?? new Date().toISOString()
      const promise = capture(event, properties, { uuid })
      if (promise === last?.promise) last.count++
      else {
        const together = { promise, count: 1 }
        last = together
        // a failure is met later: until then nobody would be waiting for it
        waiting.push(
          promise.then(() => {
            delivered += together.count
          }, isRefused),
        )
      }
      added++
      return added >= AT_A_TIME
    },
    keepPace: () => keepPace(),
    settle: () => keepPace(0),
  }
}
