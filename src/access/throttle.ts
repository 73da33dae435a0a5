import { LRUCache } from 'lru-cache'
import { ApiError } from '../errors.ts'

/** Wrong keys that one address may try in a minute: far more than a broken script, far less than a search. */
export const FAILURES_PER_MINUTE = 300
const MINUTE_MS = 60_000
const ADDRESSES = 10_000

export interface Throttle {
  /** Throws when this address has tried too many wrong keys. */
  require(address: string): void
  countFailure(address: string): void
}

export function createThrottle(clock: () => number = Date.now): Throttle {
  const failures = new LRUCache<string, { count: number; until: number }>({ max: ADDRESSES })
  return {
    require(address) {
      const entry = failures.get(address)
      if (!entry || entry.count < FAILURES_PER_MINUTE || entry.until <= clock()) return
      throw throttled(Math.ceil((entry.until - clock()) / 1000))
    },
    countFailure(address) {
      const entry = failures.get(address)
      if (entry && entry.until > clock()) entry.count++
      else failures.set(address, { count: 1, until: clock() + MINUTE_MS })
    },
  }
}

function throttled(seconds: number): ApiError {
  const unit = seconds === 1 ? 'second' : 'seconds'
  const detail = `Request was throttled. Expected available in ${seconds} ${unit}.`
  return new ApiError('throttled', detail, null, { 'retry-after': String(seconds) })
}
