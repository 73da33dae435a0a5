import type { ReadRows } from './databases.ts'

interface ConnectionOptions {
  readonly connectionString?: unknown
  readonly host?: unknown
  readonly port?: unknown
  readonly user?: unknown
  readonly password?: unknown
  readonly database?: unknown
  readonly ssl?: unknown
}

interface QueryOptions {
  readonly text: string
  readonly values?: readonly unknown[]
}

interface QueryResult {
  readonly rows: readonly Record<string, unknown>[]
  readonly rowCount: number
}

/**
 * Creates the part of the package `pg` that apps use. The host opens connections, so `connect` and `end` do nothing.
 */
export function createPg(readRows: ReadRows, encode: (text: string) => string) {
  class Client {
    readonly #url: string

    constructor(options: ConnectionOptions | string = {}) {
      this.#url = toUrl(options, encode)
    }

    async query(
      query: string | QueryOptions,
      values: readonly unknown[] = [],
    ): Promise<QueryResult> {
      const { text, values: own = values } = typeof query === 'string' ? { text: query } : query
      const { rows } = await readRows(this.#url, String(text), own)
      return { rows, rowCount: rows.length }
    }

    async connect(): Promise<this> {
      return this
    }

    async end(): Promise<void> {}

    release(): void {}

    on(): this {
      return this
    }
  }

  /** Its `connect` returns a client, which is the pool itself. */
  class Pool extends Client {}
  return { Client, Pool }
}

function toUrl(options: ConnectionOptions | string, encode: (text: string) => string): string {
  if (typeof options === 'string') return options
  const { connectionString, host = 'localhost', port = 5432, user = '', password = '' } = options
  if (typeof connectionString === 'string') return connectionString
  const database = options.database ?? user
  const credentials = [user, password].map((part) => encode(String(part))).join(':')
  return `postgres://${credentials}@${host}:${port}/${encode(String(database))}${toSslMode(options)}`
}

function toSslMode({ ssl }: ConnectionOptions): string {
  if (!ssl) return ''
  const { rejectUnauthorized = true } = ssl as { rejectUnauthorized?: boolean }
  return `?sslmode=${rejectUnauthorized ? 'verify-full' : 'no-verify'}`
}
