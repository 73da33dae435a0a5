import type { AppToLoad } from '#server/runtime/wire/protocol.ts'
import type { Calls } from './calls.ts'
import type { ReadRows } from './databases.ts'
import type { ProgressReporter } from './progress.ts'
import type { SkipReporter } from './skips.ts'
import type { Streams } from './streams.ts'

export interface MetaTools {
  readonly app: AppToLoad
  readonly calls: Calls
  readonly streams: Streams
  readonly readRows: Readonly<Record<'postgres' | 'mysql', ReadRows>>
  readonly progress: ProgressReporter
  readonly skips: SkipReporter
  readonly contents: ReadonlyMap<string, Uint8Array>
}

/** Creates `meta` once per process: the app's functions share `global` and their changes to `config`. */
export const createMeta = (tools: MetaTools): Record<string, unknown> => ({
  attachments: attachments(tools),
  cache: cache(tools.calls),
  config: JSON.parse(JSON.stringify(tools.app.config)),
  geoip: {
    locate: async () => {
      throw new Error('geoip database is not ready')
    },
  },
  global: {},
  jobs: jobs(tools.calls),
  storage: storage(tools.app, tools.calls),
  utils: utils(tools),
})

function attachments({ app, calls, streams, contents }: MetaTools): Record<string, unknown> {
  const open = (key: string): AsyncIterable<Uint8Array> => ({
    async *[Symbol.asyncIterator]() {
      const stream = calls.nextId()
      streams.open(stream)
      await calls.callAs(stream, 'attachment', key)
      yield* streams.read(stream)
    },
  })
  return Object.fromEntries(
    app.attachments.map(({ key, content_type, file_name, size }) => [
      key,
      { content_type, file_name, size, contents: contents.get(key), stream: () => open(key) },
    ]),
  )
}

function storage({ limits }: AppToLoad, calls: Calls) {
  return {
    async get(key: unknown, absent?: unknown): Promise<unknown> {
      const text = await calls.call<string | null>('storage.get', toKey(key))
      return text === null ? absent : JSON.parse(text)
    },
    async set(key: unknown, value: unknown): Promise<void> {
      const text = JSON.stringify(value)
      if (text === undefined) return calls.call('storage.delete', toKey(key))
      if (text.length > limits.maxStoredValueLength) {
        throw new RangeError(
          `The value of '${key}' is larger than ${limits.maxStoredValueLength} bytes.`,
        )
      }
      await calls.call('storage.set', toKey(key), text)
    },
    async del(key: unknown): Promise<void> {
      await calls.call('storage.delete', toKey(key))
    },
  }
}

function toKey(key: unknown): string {
  const text = String(key)
  if (text.length > 200) throw new RangeError('A key has at most 200 characters.')
  return text
}

interface CacheOptions {
  readonly jsonSerialize?: boolean
}

function cache(calls: Calls) {
  return {
    async set(key: unknown, value: unknown, ttl?: number, options: CacheOptions = {}) {
      const text = options.jsonSerialize === false ? String(value) : JSON.stringify(value)
      await calls.call('cache.set', String(key), text ?? 'null', ttl ?? null)
    },
    async get(key: unknown, absent?: unknown, options: CacheOptions = {}) {
      const text = await calls.call<string | null>('cache.get', String(key))
      if (text === null) return absent
      return options.jsonSerialize === false ? text : parseOrNull(text)
    },
    incr: (key: unknown) => calls.call('cache.increment', String(key)),
    expire: (key: unknown, ttl: number) => calls.call('cache.expire', String(key), ttl),
    async lpush(key: unknown, elements: unknown) {
      const isList = Array.isArray(elements) && elements.every((one) => typeof one === 'string')
      if (!isList && typeof elements !== 'string') {
        throw new Error('cache.lpush expects a string value or an array of strings')
      }
      if (isList && elements.length > 1000) {
        throw new Error('Too many elements in array for cache.lpush. Maximum: 1000')
      }
      return calls.call('cache.push', String(key), isList ? elements : [elements])
    },
    async lrange(key: unknown, start: unknown, end: unknown) {
      if (typeof start !== 'number' || typeof end !== 'number') {
        throw new Error('cache.lrange expects a number for the start and end indexes')
      }
      return calls.call('cache.range', String(key), start, end)
    },
    llen: (key: unknown) => calls.call('cache.length', String(key)),
    async lrem(key: unknown, count: unknown, element: unknown) {
      requireCount('lrem', count)
      return calls.call('cache.remove', String(key), count, String(element))
    },
    async lpop(key: unknown, count: unknown) {
      requireCount('lpop', count)
      return calls.call('cache.pop', String(key), count)
    },
  }
}

function requireCount(method: string, count: unknown): void {
  if (typeof count === 'number') return
  throw new Error(`cache.${method} expects a number for the "count" argument`)
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const UNITS: Readonly<Record<string, number>> = {
  milliseconds: 1,
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
  weeks: 7 * 86_400_000,
  months: 30 * 86_400_000,
  quarters: 13 * 7 * 86_400_000,
  years: 365 * 86_400_000,
}

function toMilliseconds(duration: number, unit: string): number {
  const plural = String(unit).endsWith('s') ? String(unit) : `${unit}s`
  const size = UNITS[plural]
  if (!size) throw new Error(`Unknown time unit: ${plural}`)
  return Number(duration) * size
}

function jobs(calls: Calls): unknown {
  const enqueue = (name: string, payload: unknown, at: number) =>
    calls.call('enqueue', name, payload === undefined ? null : JSON.stringify(payload), at)
  const job = (name: string) => (payload?: unknown) => ({
    runNow: async () => enqueue(name, payload, Date.now()),
    runIn: async (duration: number, unit: string) =>
      enqueue(name, payload, Date.now() + toMilliseconds(duration, unit)),
    runAt: async (at: unknown) => enqueue(name, payload, new Date(at as never).getTime()),
  })
  return new Proxy({}, { get: (_, name) => (typeof name === 'string' ? job(name) : undefined) })
}

interface Rate {
  readonly requests?: unknown
  readonly seconds?: unknown
}

function utils({ calls, readRows, progress, skips }: MetaTools) {
  return {
    cursor: {
      async init(key: unknown, initial: unknown = 0): Promise<void> {
        if (typeof initial !== 'number') {
          throw new Error("The cursor's initial value must be a number!")
        }
        await calls.call('storage.init', toKey(key), JSON.stringify(initial))
      },
      async increment(key: unknown, by: unknown = 1): Promise<unknown> {
        if (typeof by !== 'number') throw new Error('The incrementBy value must be a number!')
        return calls.call('storage.increment', toKey(key), by)
      },
    },
    progress: progress.report,
    skip: skips.report,
    async rateLimit(host: unknown, { requests, seconds }: Rate): Promise<void> {
      await calls.call('rateLimit', String(host), Number(requests), Number(seconds))
    },
    async sleep(ms: number): Promise<void> {
      await calls.call('sleep', Number(ms) || 0)
    },
    postgres: {
      query: (url: string, text: string, params: unknown[] = []) =>
        readRows.postgres(String(url), String(text), params),
    },
    mysql: {
      query: (url: string, text: string, params: unknown[] = []) =>
        readRows.mysql(String(url), String(text), params),
    },
  }
}
