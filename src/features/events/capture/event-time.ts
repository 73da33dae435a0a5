import { isStorableTime } from '#server/analytics/event-row.ts'
import { parseTime } from '#server/http/times.ts'

/** Unix time by its size: a number of seconds would reach the next unit in the year 5138. */
const UNITS = [
  { from: 1e17, perMs: 1e6 },
  { from: 1e14, perMs: 1e3 },
  { from: 1e11, perMs: 1 },
  { from: 1e8, perMs: 1e-3 },
]
const DIGITS = /^\d{9,19}(?:\.\d{1,9})?$/
/** The forms of mail and HTTP, and of JavaScript's `String(date)`. */
const NAMED_MONTH =
  /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} [\d:]{5,8} (?:GMT|UTC|UT|Z|[+-]\d{4})$|^[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d{4} [\d:]{8} GMT[+-]\d{4}/

/**
 * Parses a time in any form that clients send, to milliseconds since 1970: ISO 8601, RFC 2822, or Unix time in seconds,
 * milliseconds, microseconds or nanoseconds. Returns undefined for anything else.
 */
export function parseEventTime(value: unknown): number | undefined {
  if (typeof value === 'number') return fromUnixTime(value)
  if (typeof value !== 'string') return undefined
  const time = parseTime(value)
  if (time !== undefined) return time
  if (DIGITS.test(value)) return fromUnixTime(Number(value))
  const named = NAMED_MONTH.test(value) ? Date.parse(value) : Number.NaN
  return isStorableTime(named) ? named : undefined
}

function fromUnixTime(value: number): number | undefined {
  const unit = UNITS.find(({ from }) => value >= from)
  const time = unit && Math.floor(value / unit.perMs)
  return time !== undefined && isStorableTime(time) ? time : undefined
}
