import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Meta, QueuedJob } from '../skeleton/hedgerow.d.ts'
import { createRecordedFetch } from './recording.ts'

export type * from '../skeleton/hedgerow.d.ts'

export interface CapturedEvent {
  readonly event: string
  readonly [property: string]: unknown
}

export interface Harness<Settings> {
  /** The argument of the app's functions. */
  readonly meta: Meta<Settings>
  readonly events: readonly CapturedEvent[]
  readonly skipped: readonly { readonly reason: string; readonly row: unknown }[]
  readonly queued: readonly { readonly job: string; readonly payload: unknown }[]
  readonly progress: readonly (readonly unknown[])[]
  /** The app's storage, by key. */
  readonly stored: ReadonlyMap<string, unknown>
  /** Gives `fetch` and the other globals back. */
  end(): void
}

export interface HarnessOptions<Settings> {
  readonly settings?: Settings
  /** The file with the responses of other servers. Without one, the app cannot fetch. */
  readonly recording?: string
  /** The folder of plugin.json, for defaults and the names of secrets. By default the current one. */
  readonly folder?: string
}

interface Field {
  readonly key?: string
  readonly default?: unknown
  readonly secret?: boolean
}

/**
 * Starts a test of an app: sets the globals that Hedgerow gives it, and returns its `meta` and what it does. With
 * HEDGEROW_RECORD=1 in the environment, requests are sent and recorded.
 */
export function startHarness<Settings extends object = Record<string, unknown>>({
  settings = {} as Settings,
  recording,
  folder = '.',
}: HarnessOptions<Settings> = {}): Harness<Settings> {
  const fields = readFields(folder)
  const defaults = fields.flatMap(({ key, default: value }) =>
    key === undefined || value === undefined ? [] : [[key, value]],
  )
  const config = { ...Object.fromEntries(defaults), ...settings } as Settings
  const secrets = fields
    .filter(({ secret }) => secret)
    .map(({ key }) => String((config as Record<string, unknown>)[key as string] ?? ''))
  const events: CapturedEvent[] = []
  const skipped: { reason: string; row: unknown }[] = []
  const queued: { job: string; payload: unknown }[] = []
  const progress: unknown[][] = []
  const stored = new Map<string, unknown>()

  const isRecording = process.env.HEDGEROW_RECORD === '1'
  const { fetch: realFetch } = globalThis
  const recorded =
    recording === undefined
      ? undefined
      : createRecordedFetch({ file: recording, secrets, isRecording, send: realFetch })
  const globals = globalThis as Record<string, unknown>
  const before = { fetch: realFetch, posthog: globals.posthog, RetryError: globals.RetryError }
  Object.assign(globals, {
    fetch: recorded ?? refuse('The harness has no recording, so the app cannot fetch.'),
    posthog: {
      capture: async (event: string, properties: object = {}, options: object = {}) => {
        events.push(copy({ ...properties, ...options, event }))
      },
      api: new Proxy({}, { get: () => refuse('The harness has no posthog.api.') }),
    },
    RetryError: class RetryError extends Error {},
  })

  const jobs = new Proxy({} as Meta['jobs'], {
    get:
      (_, job) =>
      (payload?: unknown): QueuedJob => {
        const queue = async () => void queued.push(copy({ job: String(job), payload }))
        return { runNow: queue, runIn: queue, runAt: queue }
      },
  })
  const meta: Meta<Settings> = {
    config,
    attachments: {},
    global: {},
    storage: {
      get: async (key, byDefault) => stored.get(String(key)) ?? byDefault,
      async set(key, value) {
        if (value === undefined) stored.delete(String(key))
        else stored.set(String(key), copy(value))
      },
      del: async (key) => void stored.delete(String(key)),
    },
    cache: createCache(),
    jobs,
    utils: {
      cursor: {
        async init(key, initial = 0) {
          if (!stored.has(key)) stored.set(key, initial)
        },
        async increment(key, by = 1) {
          const next = Number(stored.get(key) ?? 0) + by
          stored.set(key, next)
          return next
        },
      },
      progress: (...told) => void progress.push(told),
      skip: (reason, row) => void skipped.push(copy({ reason, row })),
      rateLimit: async () => {},
      sleep: async () => {},
      postgres: { query: refuse('The harness has no PostgreSQL.') },
      mysql: { query: refuse('The harness has no MySQL.') },
    },
    geoip: { locate: async () => null },
  }
  const end = () => void Object.assign(globals, before)
  return { meta, events, skipped, queued, progress, stored, end }
}

/** Copies as JSON does, because the server stores JSON. */
const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value))

const refuse = (message: string) => async (): Promise<never> => {
  throw new Error(message)
}

function readFields(folder: string): readonly Field[] {
  const { config = [] } = JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8'))
  return config
}

function createCache(): Meta['cache'] {
  const values = new Map<string, unknown>()
  const lists = new Map<string, string[]>()
  const listOf = (key: string) => lists.get(key) ?? []
  return {
    get: async (key, byDefault) => values.get(key) ?? byDefault,
    set: async (key, value) => void values.set(key, copy(value)),
    async incr(key) {
      const next = Number(values.get(key) ?? 0) + 1
      values.set(key, next)
      return next
    },
    expire: async (key) => values.has(key) || lists.has(key),
    async lpush(key, elements) {
      lists.set(key, [...[elements].flat().toReversed(), ...listOf(key)])
      return listOf(key).length
    },
    lrange: async (key, start, end) => listOf(key).slice(start, end === -1 ? undefined : end + 1),
    llen: async (key) => listOf(key).length,
    async lrem(key, count, element) {
      const list = listOf(key)
      const removed = list.filter((each) => each === element).length
      lists.set(
        key,
        list.filter((each) => each !== element),
      )
      return Math.min(removed, count || removed)
    },
    async lpop(key, count) {
      const list = listOf(key)
      lists.set(key, list.slice(count))
      return list.slice(0, count)
    },
  }
}
