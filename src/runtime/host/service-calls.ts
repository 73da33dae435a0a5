import { sanitizeJson, sanitizeText } from '#server/db/sanitize.ts'
import { findPartEnd } from '#server/json-scan.ts'
import { AppProblem, type AppServices, type SkippedRow } from '../contract.ts'
import type { Limits } from '../limits.ts'
import { MAX_MESSAGE_VALUES, MAX_SKIPPED_ROWS_PER_CALL } from '../wire/protocol.ts'

/** Serves one kind of call. Throws an `AppProblem` for the app. */
type ServiceCall = (
  services: AppServices,
  args: readonly unknown[],
  limits: Limits,
) => Promise<unknown>

/** The longest delay of a job; the range of `Date` ends somewhere above. */
const TEN_YEARS_MS = 10 * 365 * 86_400_000

/** Calls that need only the config's services. They check their arguments, since an app may send anything. */
export const SERVICE_CALLS: Readonly<Record<string, ServiceCall>> = {
  'storage.get': async ({ storage }, [key]) => (await storage.get(toKey(key))) ?? null,
  'storage.set': ({ storage }, [key, value], limits) =>
    storage.set(toKey(key), toText(value, limits.maxStoredValueLength)),
  'storage.delete': ({ storage }, [key]) => storage.delete(toKey(key)),
  'storage.init': ({ storage }, [key, value], limits) =>
    storage.setIfAbsent(toKey(key), toText(value, limits.maxStoredValueLength)),
  'storage.increment': ({ storage }, [key, by]) => storage.increment(toKey(key), toNumber(by)),

  'cache.get': async ({ cache }, [key]) => (await cache.get(toKey(key))) ?? null,
  'cache.set': ({ cache }, [key, value, ttl], limits) =>
    cache.set(
      toKey(key),
      toText(value, limits.maxStoredValueLength),
      ttl === null ? undefined : toTtl(ttl),
    ),
  'cache.increment': ({ cache }, [key]) => cache.increment(toKey(key)),
  'cache.expire': ({ cache }, [key, ttl]) => cache.expire(toKey(key), toTtl(ttl)),
  'cache.push': ({ cache }, [key, values], limits) =>
    cache.push(toKey(key), toTexts(values, limits)),
  'cache.range': ({ cache }, [key, start, end]) =>
    cache.range(toKey(key), toInteger(start), toInteger(end)),
  'cache.length': ({ cache }, [key]) => cache.length(toKey(key)),
  'cache.remove': ({ cache }, [key, count, value], limits) =>
    cache.remove(toKey(key), toInteger(count), toText(value, limits.maxStoredValueLength)),
  'cache.pop': ({ cache }, [key, count]) => cache.pop(toKey(key), toInteger(count)),

  enqueue: ({ enqueue }, [name, payload, at], limits) =>
    enqueue({
      name: toText(name, 400),
      payload: payload === null ? undefined : toPayload(payload, limits),
      runAt: toTime(at),
    }),
}

const expected = (what: string): AppProblem => new AppProblem(`Expected ${what}.`)

function toText(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') throw expected('a text')
  if (value.length > maxLength) throw new AppProblem(`The value is larger than ${maxLength} bytes.`)
  return sanitizeText(value)
}

/** Checks the rows of one `skip` call. */
export function toSkippedRows(given: unknown, { maxSkippedLength }: Limits): SkippedRow[] {
  const most = MAX_SKIPPED_ROWS_PER_CALL
  if (!Array.isArray(given) || given.length > most) throw expected(`at most ${most} rows`)
  return given.map((row) => {
    if (!Array.isArray(row)) throw expected('a reason and a row')
    return {
      reason: toText(row[0], maxSkippedLength),
      content: toText(row[1], maxSkippedLength),
    }
  })
}

const toKey = (value: unknown): string => toText(value, 200)

function toTexts(values: unknown, { maxStoredValueLength, maxPushLength }: Limits): string[] {
  if (!Array.isArray(values) || values.length > 1000) throw expected('at most 1000 texts')
  const texts = values.map((value) => toText(value, maxStoredValueLength))
  if (texts.reduce((length, text) => length + text.length, 0) <= maxPushLength) return texts
  throw new AppProblem(`The values are larger than ${maxPushLength} bytes together.`)
}

/** Parses the payload of a job. A value that is stored is not parsed, because only the app reads it. */
function toPayload(value: unknown, { maxStoredValueLength }: Limits): unknown {
  const text = toText(value, maxStoredValueLength)
  const end = findPartEnd(Buffer.from(text), 0, MAX_MESSAGE_VALUES)
  if (end === 'too deep') throw new AppProblem('The payload is nested too deep.')
  if (end === 'too many values') {
    throw new AppProblem(`The payload has more than ${MAX_MESSAGE_VALUES} values.`)
  }
  try {
    return JSON.parse(sanitizeJson(text))
  } catch {
    throw expected('JSON')
  }
}

function toNumber(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw expected('a number')
  return value
}

function toInteger(value: unknown): number {
  return Math.trunc(Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, toNumber(value))))
}

function toTtl(value: unknown): number {
  return Math.max(0, Math.min(toNumber(Number(value)), TEN_YEARS_MS / 1000))
}

function toTime(value: unknown): string {
  const at = toNumber(value)
  const now = Date.now()
  return new Date(Math.max(now - TEN_YEARS_MS, Math.min(at, now + TEN_YEARS_MS))).toISOString()
}
