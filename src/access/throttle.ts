import { LRUCache } from 'lru-cache'
import { pluralize } from '#model/pluralize.ts'
import { ApiError } from '../errors.ts'
import { toNetwork } from './network.ts'

/** Wrong keys per network and minute: far more than a broken script tries, far less than a search needs. */
export const FAILURES_PER_MINUTE = 300
const MINUTE_MS = 60_000
const MAX_TRACKED = 10_000

export interface Throttle {
  /** Throws if this name, or the network of this address, has failed too often. */
  require(subject: string): void
  countFailure(subject: string): void
  /** Uncounts one failure. */
  forgive(subject: string): void
}

export interface ThrottleOptions {
  readonly maxFailures: number
  readonly windowMs: number
}

const API_KEY_OPTIONS: ThrottleOptions = { maxFailures: FAILURES_PER_MINUTE, windowMs: MINUTE_MS }

export function createThrottle(
  clock: () => number = Date.now,
  { maxFailures, windowMs } = API_KEY_OPTIONS,
): Throttle {
  // created at the first failure, because it allocates all its memory up front
  let cache: LRUCache<string, { count: number; until: number }> | undefined
  const failures = () => {
    cache ??= new LRUCache({ max: MAX_TRACKED })
    return cache
  }
  const find = (subject: string) => cache?.get(toNetwork(subject))
  return {
    require(subject) {
      const entry = find(subject)
      if (!entry || entry.count < maxFailures || entry.until <= clock()) return
      throw throttled(Math.ceil((entry.until - clock()) / 1000))
    },
    countFailure(subject) {
      const entry = find(subject)
      if (entry && entry.until > clock()) entry.count++
      else failures().set(toNetwork(subject), { count: 1, until: clock() + windowMs })
    },
    forgive(subject) {
      const entry = find(subject)
      if (entry) entry.count--
    },
  }
}

/** A throttle, and the name that it counts an attempt by. */
export type Counter = readonly [throttle: Throttle, subject: string]

/** Counts an attempt before it is made, or a thousand concurrent ones would all be allowed. A success does not count. */
export async function countAttempt<T>(
  counters: readonly Counter[],
  attempt: () => Promise<T>,
  isSuccess: (result: T) => boolean = () => true,
): Promise<T> {
  for (const [throttle, subject] of counters) throttle.require(subject)
  for (const [throttle, subject] of counters) throttle.countFailure(subject)
  const result = await attempt()
  if (isSuccess(result)) {
    for (const [throttle, subject] of counters) throttle.forgive(subject)
  }
  return result
}

function throttled(seconds: number): ApiError {
  const detail = `Request was throttled. Expected available in ${pluralize(seconds, 'second')}.`
  return new ApiError('throttled', detail, null, { 'retry-after': String(seconds) })
}
