/** The API of an app. plugin.json describes its settings and payloads. */

export interface Meta<Settings = Record<string, unknown>> {
  /** The config's settings, with the real secrets. */
  config: Settings
  /** The files that were attached to the config, by the key of their setting. */
  attachments: Record<string, Attachment | undefined>
  /** Shared by all functions of the app, until its process ends. */
  global: Record<string, unknown>
  /** Persistent JSON values of the config. Keys have at most 200 characters. */
  storage: Storage
  /** A cache shared by the app's configs in a project. Entries may be lost at any time. */
  cache: Cache
  /** Queues one of the app's own `jobs`: `meta.jobs.clean({ all: true }).runIn(5, 'minutes')`. */
  jobs: Record<string, (payload?: unknown) => QueuedJob>
  utils: Utils
  geoip: { locate(ip: string): Promise<unknown> }
}

export interface Attachment {
  content_type: string
  file_name: string
  /** In bytes. */
  size: number
  /** Absent when the file is larger than 10 MiB: then read it by `stream`. */
  contents?: Uint8Array
  stream(): AsyncIterable<Uint8Array>
}

export interface Storage {
  get(key: string | number, byDefault?: unknown): Promise<unknown>
  /** `undefined` deletes it. */
  set(key: string | number, value: unknown): Promise<void>
  del(key: string | number): Promise<void>
}

export interface Cache {
  get(key: string, byDefault?: unknown, options?: CacheOptions): Promise<unknown>
  set(key: string, value: unknown, ttlSeconds?: number, options?: CacheOptions): Promise<void>
  incr(key: string): Promise<number>
  expire(key: string, ttlSeconds: number): Promise<boolean>
  lpush(key: string, elements: string | string[]): Promise<number>
  lrange(key: string, start: number, end: number): Promise<string[]>
  llen(key: string): Promise<number>
  lrem(key: string, count: number, element: string): Promise<number>
  lpop(key: string, count: number): Promise<string[]>
}

export interface CacheOptions {
  /** true if not given. */
  jsonSerialize?: boolean
}

/** A part of the past that `runBackfill` imports. */
export interface Window {
  /** ISO 8601, UTC. Belongs to the window. */
  from: string
  /** Does not belong to it. */
  to: string
  /** null: all streams of the app. */
  streams: string[] | null
}

/** A request of another service, which `onRequest` gets. It was verified as plugin.json says. */
export interface ReceivedRequest {
  method: string
  query: Record<string, string>
  /** By lowercase name, without secrets. */
  headers: Record<string, string>
  /** JSON, JSON lines or the fields of a form as values; other text as it is. */
  body: unknown
  text: string
  /** ISO 8601, UTC: the time of its events, unless they have a `timestamp`. */
  received_at: string
}

export interface QueuedJob {
  runNow(): Promise<void>
  /** Units: milliseconds, seconds, minutes, hours, days, weeks, months, quarters, years. */
  runIn(duration: number, unit: string): Promise<void>
  runAt(time: Date): Promise<void>
}

export interface Database {
  query(
    url: string,
    sql: string,
    parameters?: unknown[],
  ): Promise<{ rows: Record<string, unknown>[] }>
}

export interface Utils {
  /** Numbers in `storage` that several runs may count up. */
  cursor: {
    init(key: string, initial?: number): Promise<void>
    increment(key: string, by?: number): Promise<number>
  }
  /** Shown while the run continues. */
  progress(done: number, total?: number | null, message?: string): void
  /** Reports a row that could not be imported. Users see the count and download the rows with their reasons. */
  skip(reason: string, row?: unknown): void
  /** Limits the requests that a host, such as `api.example.com`, gets from the config. `fetch` waits for its turn. */
  rateLimit(host: string, rate: { requests: number; seconds: number }): Promise<void>
  /** There are no timers. At most 30 seconds. */
  sleep(milliseconds: number): Promise<void>
  /** Reads from a PostgreSQL database, which the app itself could not reach. */
  postgres: Database
  /** Reads from a MySQL or MariaDB database. Parameters stand for `?`. */
  mysql: Database
}

export interface PostHog {
  /**
   * Stores an event. `distinct_id` and `timestamp` are taken out of the properties; without them it is the app's own
   * event, and happens now. An event whose `uuid` is already there is not stored again.
   */
  capture(
    event: string,
    properties?: Record<string, unknown>,
    options?: { uuid?: string },
  ): Promise<void>
  /** Hedgerow's own API, or that of another host. `@current` in a path is the config's project. */
  api: Record<'get' | 'post' | 'put' | 'patch' | 'delete', ApiCall>
}

export type ApiCall = (
  path: string,
  options?: {
    headers?: Record<string, string>
    data?: object
    host?: string
    projectApiKey?: string
    personalApiKey?: string
  },
) => Promise<Response>

declare global {
  const posthog: PostHog
  /** Thrown by `setupPlugin`: it will be tried again, a few times. */
  const RetryError: new (message?: string) => Error
}
