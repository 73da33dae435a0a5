import type { Client, ClientConfig, FieldDef, QueryResult } from 'pg'
import { createKeyedMutex } from '#server/concurrency.ts'
import { isUnavailable } from '#server/db/storage-problem.ts'
import type { Egress } from '#server/egress/egress.ts'
import { EgressError } from '#server/egress/egress-error.ts'
import { AppProblem } from '../contract.ts'
import type { Limits } from '../limits.ts'
import { CallFailure } from './call-error.ts'
import { isJsonType, parseColumn } from './postgres-types.ts'

/** Databases per run. */
const MAX_CONNECTIONS = 3

type Row = Readonly<Record<string, unknown>>

export interface QueriedRows {
  readonly rows: readonly Row[]
  /** The columns whose values are the text of JSON. */
  readonly jsonColumns: readonly string[]
}

/** Reads PostgreSQL for apps, which have no network. Connections last as long as the run. */
export interface PostgresReader {
  /** Takes `[url, text, parameters]` from the app, unchecked. */
  query(args: readonly unknown[]): Promise<QueriedRows>
  close(): Promise<void>
}

export function createPostgresReader(egress: Egress, limits: Limits): PostgresReader {
  const clients = new Map<string, Promise<Client>>()
  const oneQueryPerDatabase = createKeyedMutex<string>()

  function getClient(url: string): Promise<Client> {
    const existing = clients.get(url)
    if (existing) return existing
    if (clients.size >= MAX_CONNECTIONS) {
      throw new AppProblem(`A run can read from at most ${MAX_CONNECTIONS} databases.`)
    }
    const client = connect(url, egress, limits)
    clients.set(url, client)
    client.catch(() => clients.delete(url))
    return client
  }

  return {
    async query([url, text, parameters]) {
      if (typeof url !== 'string' || typeof text !== 'string' || !Array.isArray(parameters)) {
        throw new AppProblem('postgres.query expects a URL, a text and a list of parameters.')
      }
      return oneQueryPerDatabase(url, async () => {
        const client = await getClient(url)
        try {
          return await read(client, text, parameters, limits)
        } catch (error) {
          // the connection is in an unknown state, so the next query opens another
          clients.delete(url)
          void client.end().catch(() => {})
          throw toAppProblem(error)
        }
      })
    },
    async close() {
      const all = [...clients.values()]
      clients.clear()
      await Promise.allSettled(all.map(async (client) => (await client).end()))
    },
  }
}

async function connect(url: string, egress: Egress, limits: Limits): Promise<Client> {
  try {
    const { default: pg } = await import('pg')
    const client = new pg.Client(await toConfig(url, egress, limits))
    // the next query notices a connection that broke between queries
    client.on('error', () => {})
    await client.connect()
    return client
  } catch (error) {
    throw toAppProblem(error)
  }
}

/** Sets every option, because pg would take missing ones from the server's own environment and files. */
async function toConfig(text: string, egress: Egress, limits: Limits): Promise<ClientConfig> {
  const url = /^postgres(ql)?:\/\//.test(text) ? URL.parse(text) : null
  if (!url?.hostname)
    throw new AppProblem('A connection URL looks like postgres://user:password@host/database.')
  const host = decodeURIComponent(url.hostname)
  const user = decodeURIComponent(url.username) || 'postgres'
  return {
    host: await egress.resolve(host),
    port: Number(url.port || 5432),
    user,
    password: async () => decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)) || user,
    ssl: toSsl(url.searchParams, host),
    application_name: 'hedgerow',
    connectionTimeoutMillis: Math.min(10_000, limits.waitMs),
    types: { getTypeParser: parseColumn },
  }
}

/** Maps libpq's `sslmode`. Unlike libpq, no mode means no SSL. */
function toSsl(parameters: URLSearchParams, host: string): ClientConfig['ssl'] {
  switch (
    parameters.get('sslmode') ??
    (parameters.get('ssl') === 'true' ? 'verify-full' : 'disable')
  ) {
    case 'require':
    case 'no-verify':
      return { rejectUnauthorized: false, servername: host }
    case 'verify-ca':
    case 'verify-full':
      return { rejectUnauthorized: true, servername: host }
    default:
      return false
  }
}

/** Runs one statement in a read-only transaction. */
async function read(
  client: Client,
  text: string,
  values: unknown[],
  limits: Limits,
): Promise<QueriedRows> {
  const timer = setTimeout(() => destroy(client), limits.waitMs + 1000)
  try {
    await client.query(
      `begin read only; set local statement_timeout = ${limits.waitMs}; set local time zone 'UTC'`,
    )
    const queried = await collect(client, text, values, limits)
    await client.query('commit')
    return queried
  } finally {
    clearTimeout(timer)
  }
}

async function collect(
  client: Client,
  text: string,
  values: unknown[],
  { maxQueryRows, maxQueryBytes }: Limits,
): Promise<QueriedRows> {
  const { Query } = (await import('pg')).default
  // the extended protocol takes one statement only, so an app cannot end the transaction and continue
  const query = new Query({ text, values, queryMode: 'extended' } as never)
  const rows: Row[] = []
  let jsonColumns: readonly string[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let bytes = 0
  query.on('row', (row: Row, result?: Pick<QueryResult, 'fields'>) => {
    if (rows.length === 0) jsonColumns = result?.fields.filter(isJson).map(({ name }) => name) ?? []
    rows.push(row)
    for (const value of Object.values(row)) bytes += typeof value === 'string' ? value.length : 16
    if (rows.length <= maxQueryRows && bytes <= maxQueryBytes) return
    reject(
      new AppProblem(
        `The query returns more than ${maxQueryRows} rows or ${maxQueryBytes} bytes. Read them in parts, with a LIMIT.`,
      ),
    )
    destroy(client)
  })
  query.on('error', reject)
  query.on('end', () => resolve())
  client.query(query as never)
  await promise
  return { rows, jsonColumns }
}

const isJson = ({ dataTypeID }: FieldDef): boolean => isJsonType(dataTypeID)

/** Closes the socket: nothing else stops rows that are in transit. */
function destroy(client: Client): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}

function toAppProblem(error: unknown): Error {
  if (error instanceof AppProblem || error instanceof EgressError) return error
  const { message, code } = error as NodeJS.ErrnoException
  const isTemporary = code !== 'ENOTFOUND' && isUnavailable(error)
  return new CallFailure('Error', `PostgreSQL: ${message || code}`, { code, isTemporary })
}
