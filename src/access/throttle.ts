import { LRUCache } from 'lru-cache'
import { ApiError } from '../errors.ts'
import { toNetwork } from './network.ts'

/** Wrong keys that one address may try in a minute: far more than a broken script, far less than a search. */
export const FAILURES_PER_MINUTE = 300
const MINUTE_MS = 60_000
const REMEMBERED = 10_000

export interface Throttle {
  /** Throws when this address, one of the same network, or whoever it is, has failed too often. */
  require(who: string): void
  countFailure(who: string): void
  /** What was counted turned out right. */
  forgive(who: string): void
}

export interface ThrottleOptions {
  readonly maxFailures: number
  readonly windowMs: number
}

const OF_KEYS: ThrottleOptions = { maxFailures: FAILURES_PER_MINUTE, windowMs: MINUTE_MS }

export function createThrottle(
  clock: () => number = Date.now,
  { maxFailures, windowMs } = OF_KEYS,
): Throttle {
  // made at the first failure: it takes its memory at once
  let made: LRUCache<string, { count: number; until: number }> | undefined
  const failures = () => {
    made ??= new LRUCache({ max: REMEMBERED })
    return made
  }
  const find = (who: string) => made?.get(toNetwork(who))
  return {
    require(who) {
      const entry = find(who)
      if (!entry || entry.count < maxFailures || entry.until <= clock()) return
      throw throttled(Math.ceil((entry.until - clock()) / 1000))
    },
    countFailure(who) {
      const entry = find(who)
      if (entry && entry.until > clock()) entry.count++
      else failures().set(toNetwork(who), { count: 1, until: clock() + windowMs })
    },
    forgive(who) {
      const entry = find(who)
      if (entry) entry.count--
    },
  }
}

function throttled(seconds: number): ApiError {
  const unit = seconds === 1 ? 'second' : 'seconds'
  const detail = `Request was throttled. Expected available in ${seconds} ${unit}.`
  return new ApiError('throttled', detail, null, { 'retry-after': String(seconds) })
}
