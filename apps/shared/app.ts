/** The environment of a built-in app, passed as a parameter so that each part can be tested alone. */
export interface App {
  readonly meta: Meta
  readonly fetch: (url: string, options?: FetchOptions) => Promise<FetchResponse>
  readonly capture: Capture
  readonly log: Log
}

export interface Meta {
  readonly config: Readonly<Record<string, unknown>>
  readonly attachments: Readonly<Record<string, Attachment | undefined>>
  readonly storage: {
    get(key: string, defaultValue?: unknown): Promise<unknown>
    set(key: string, value: unknown): Promise<void>
    del(key: string): Promise<void>
  }
  readonly utils: {
    progress(done: number, total?: number | null, message?: string): unknown
    skip(reason: string, row?: unknown): void
    rateLimit(host: string, rate: { requests: number; seconds: number }): Promise<void>
    sleep(milliseconds: number): Promise<void>
    readonly postgres: DatabaseCalls
    readonly mysql: DatabaseCalls
  }
}

interface DatabaseCalls {
  query(url: string, sql: string, params?: readonly unknown[]): Promise<{ rows: Row[] }>
}

export type Row = Readonly<Record<string, unknown>>

export interface Attachment {
  readonly file_name: string
  readonly size: number
  stream(): AsyncIterable<Uint8Array>
}

export type Capture = (
  event: string,
  properties: Readonly<Record<string, unknown>>,
  options?: { readonly uuid: string },
) => Promise<unknown>

export interface FetchOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly redirect?: string
}

export interface FetchResponse {
  /** The address after redirects. */
  readonly url: string
  readonly ok: boolean
  readonly status: number
  readonly statusText: string
  readonly headers: { get(name: string): string | null }
  readonly body: AsyncIterable<Uint8Array> | null
  text(): Promise<string>
}

export interface Log {
  info(...values: unknown[]): void
  warn(...values: unknown[]): void
}
