import { Readable } from 'node:stream'
import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  createClient,
} from '@clickhouse/client'
import type { ClickHouseSettings } from '#server/db/open.ts'
import { BusyError } from '#server/errors.ts'
import { type Layout, toLayout } from './create-tables.ts'
import { toPlace } from './place.ts'
import { READING } from './settings.ts'

type Settings = Readonly<Record<string, string | number>>

/** A connection to ClickHouse. A server that cannot be reached, or has no resources, is an `EventsUnavailableError`. */
export interface ClickHouse {
  readonly client: ClickHouseClient
  /** The host and database, without credentials, for messages. */
  readonly place: string
  readonly database: string
  readonly user: string
  readonly layout: Layout
  /** Runs a statement that returns nothing. */
  run(statement: string, settings?: Settings): Promise<void>
  /** Reads the rows of a statement, at most some thousands. */
  read<Row>(statement: string, settings?: Settings): Promise<Row[]>
  /** Reads the rows of a statement as they arrive. */
  stream<Row>(statement: string, settings?: Settings): AsyncGenerator<Row[]>
  /** Inserts lines of fields with tabs between, as PostgreSQL's COPY has them. */
  insert(
    table: string,
    columns: readonly string[],
    lines: Iterable<string> | AsyncIterable<string | Buffer>,
    settings?: Settings,
  ): Promise<void>
  close(): Promise<void>
}

/** ClickHouse cannot answer now. Events that come in are stored nevertheless. */
export class EventsUnavailableError extends BusyError {}

/** Longer than any statement may take; statements have their own limits. */
const REQUEST_TIMEOUT_MS = 3_600_000

/** The client refuses more requests at once; each query of a dashboard is one. */
const MAX_CONNECTIONS = 32

function toAddress(text: string): {
  url: string
  user: string
  password: string
  database: string
} {
  const { protocol, hostname, port, username, password, pathname } = new URL(text)
  const isEncrypted = protocol === 'clickhouses:'
  return {
    url: `${isEncrypted ? 'https' : 'http'}://${hostname}:${port || (isEncrypted ? '8443' : '8123')}`,
    user: decodeURIComponent(username) || 'default',
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)) || 'default',
  }
}

export function connectToClickHouse({
  url: given,
  cluster,
}: Pick<ClickHouseSettings, 'url' | 'cluster'>): ClickHouse {
  const { url, user, password, database } = toAddress(given)
  const client = createClient({
    url,
    username: user,
    password,
    database,
    application: 'hedgerow',
    log: { level: ClickHouseLogLevel.OFF },
    request_timeout: REQUEST_TIMEOUT_MS,
    max_open_connections: MAX_CONNECTIONS,
    compression: { request: false, response: false },
  })
  const place = toPlace(given)
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw toUnavailable(error, place) ?? error
    }
  }
  const query = (statement: string, settings: Settings = {}) =>
    client.query({
      query: statement,
      format: 'JSONEachRow',
      clickhouse_settings: { ...READING, ...settings },
    })
  return {
    client,
    place,
    database,
    user,
    layout: toLayout(cluster),
    run: (statement, settings = {}) =>
      attempt(
        async () =>
          void (await client.command({
            query: statement,
            clickhouse_settings: { ...WAIT, ...settings },
          })),
      ),
    read: <Row>(statement: string, settings?: Settings) =>
      attempt(async () => (await query(statement, settings)).json<Row>()),
    async *stream<Row>(statement: string, settings?: Settings) {
      try {
        for await (const rows of (await query(statement, settings)).stream<Row>()) {
          yield rows.map((row) => row.json())
        }
      } catch (error) {
        throw toUnavailable(error, place) ?? error
      }
    },
    insert: (table, columns, lines, settings = {}) =>
      attempt(
        async () =>
          void (await client.insert({
            table,
            columns: columns as [string, ...string[]],
            values: Readable.from(lines, { objectMode: false }),
            format: 'TabSeparated',
            clickhouse_settings: { ...INSERT, ...settings },
          })),
      ),
    close: () => client.close(),
  }
}

/** Statements return when every server has done its part. */
const WAIT = {
  mutations_sync: '2',
  lightweight_deletes_sync: '2',
  alter_sync: '2',
  distributed_ddl_task_timeout: '600',
} as const

const INSERT = {
  async_insert: 0, // a token would cover what the server gathered from several inserts
  distributed_foreground_insert: 1,
  max_partitions_per_insert_block: '0', // an import may bring events of many years
  insert_deduplicate: 1,
} as const

/** The codes of errors that pass without a change of the statement: too many parts or queries, no quorum, no keeper. */
const TEMPORARY = new Set(['202', '252', '285', '319', '999', '279', '209', '210', '394', '745'])

const NETWORK =
  /^(E[A-Z]+|UND_ERR_\w+|CERT_\w+|DEPTH_ZERO\w*|SELF_SIGNED\w*|UNABLE_TO\w*|ERR_TLS\w*|ERR_SSL\w*)$/

export function toUnavailable(error: unknown, place: string): EventsUnavailableError | undefined {
  if (error instanceof ClickHouseError) {
    return TEMPORARY.has(error.code) ? unavailable(place, error.type ?? error.code) : undefined
  }
  const { code = '', message = '' } = error as NodeJS.ErrnoException
  if (NETWORK.test(code)) return unavailable(place, code)
  return /socket hang up|timeout|premature close/i.test(message)
    ? unavailable(place, message)
    : undefined
}

const unavailable = (place: string, reason: string): EventsUnavailableError =>
  new EventsUnavailableError(
    `${place} cannot be reached (${reason}). Events that come in are stored and wait for it; queries work again when it does.`,
  )
