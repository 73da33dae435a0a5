import type { App, Attachment, FetchResponse, Row } from '../../apps/shared/app.ts'

export interface FakeResponse {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>
  /** The URL to which redirects led. */
  readonly redirectedTo?: string
}

export interface FakeOptions {
  readonly config?: Readonly<Record<string, unknown>>
  readonly attachments?: Readonly<Record<string, Attachment>>
  readonly respond?: (
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string,
  ) => FakeResponse | Error
  /** More than the test needs, so an app that never stops fails. */
  readonly maxRequests?: number
  readonly query?: (sql: string, params: readonly unknown[]) => Promise<Row[]>
  readonly capture?: () => Promise<unknown>
}

export interface FakeEvent {
  readonly event: string
  readonly uuid: string
  readonly distinct_id: string
  readonly timestamp: string
  readonly properties: Readonly<Record<string, unknown>>
}

const newId = () => ({ uuid: crypto.randomUUID() })

const MAX_REQUESTS = 100

/** Creates the environment of an app in memory. Stores one event per UUID, as the event store does. */
export function createFakeApp(options: FakeOptions = {}) {
  const stored = new Map<string, FakeEvent>()
  const storage = new Map<string, string>()
  const logs: string[] = []
  const requested: string[] = []
  const sentHeaders: Readonly<Record<string, string>>[] = []
  const slept: number[] = []
  const rates: { host: string; requests: number; seconds: number }[] = []
  const progress: { done: number; total: number | null | undefined }[] = []
  const skipped: { reason: string; row: unknown }[] = []
  const counts = { captured: 0 }

  const database: App['meta']['utils']['postgres'] = {
    query: async (_url, sql, params = []) => ({ rows: (await options.query?.(sql, params)) ?? [] }),
  }
  const app: App = {
    meta: {
      config: options.config ?? {},
      attachments: options.attachments ?? {},
      storage: {
        get: async (key, byDefault) =>
          storage.has(key) ? JSON.parse(storage.get(key) as string) : byDefault,
        set: async (key, value) => void storage.set(key, JSON.stringify(value)),
        del: async (key) => void storage.delete(key),
      },
      utils: {
        skip: (reason, row) => void skipped.push({ reason, row }),
        progress: (done, total) => progress.push({ done, total }),
        rateLimit: async (host, rate) => void rates.push({ host, ...rate }),
        sleep: async (milliseconds) => void slept.push(milliseconds),
        postgres: database,
        mysql: database,
      },
    },
    log: { info: (text) => logs.push(String(text)), warn: (text) => logs.push(String(text)) },
    async capture(event, { distinct_id, timestamp, ...properties }, { uuid } = newId()) {
      await options.capture?.()
      counts.captured += 1
      if (stored.has(uuid)) return
      stored.set(uuid, {
        event,
        uuid,
        distinct_id: distinct_id as string,
        timestamp: timestamp as string,
        properties,
      })
    },
    async fetch(url, { headers = {}, body = '' } = {}) {
      requested.push(url)
      if (requested.length > (options.maxRequests ?? MAX_REQUESTS)) {
        throw new Error('The app never stops sending requests.')
      }
      sentHeaders.push(headers)
      const response = options.respond?.(new URL(url), headers, body) ?? { status: 404 }
      if (response instanceof Error) throw response
      return toResponse(url, response)
    },
  }

  return {
    app,
    logs,
    requested,
    sentHeaders,
    rates,
    slept,
    progress,
    skipped,
    storage,
    counts,
    events: () => [...stored.values()],
  }
}

function toResponse(
  url: string,
  { status = 200, headers = {}, body = '', redirectedTo }: FakeResponse,
): FetchResponse {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const pieces = bytes instanceof Uint8Array ? piecesOf(bytes) : bytes
  return {
    url: redirectedTo ?? url,
    ok: status >= 200 && status < 300,
    status,
    statusText: '',
    headers: { get: (name) => headers[name] ?? null },
    body: pieces,
    text: async () => Buffer.concat(await Array.fromAsync(pieces)).toString(),
  }
}

/** An error of the runtime that may go away. */
export const temporaryError = (message: string): Error =>
  Object.assign(new Error(message), { isTemporary: true })

/** Yields some pieces and breaks off. */
export async function* brokenOff(text: string): AsyncGenerator<Uint8Array> {
  yield* piecesOf(Buffer.from(text))
  throw temporaryError(`http://a/ broke off after ${text.length} bytes (other side closed)`)
}

export async function* piecesOf(bytes: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

export const attachment = (text: string, file_name = 'events.csv'): Attachment => ({
  file_name,
  size: Buffer.byteLength(text),
  stream: () => piecesOf(Buffer.from(text)),
})
