import type { Client, ClientConfig, FieldDef, QueryResult } from 'pg'
import type { Egress } from '#server/egress/egress.ts'
import { AppProblem } from '#server/runtime/contract.ts'
import type { Limits } from '#server/runtime/limits.ts'
import { isJsonType, parseColumn } from './postgres-types.ts'
import {
  createDatabaseReader,
  type DatabaseReader,
  type QueriedRows,
  type Row,
  tooManyRows,
} from './reader.ts'

export const createPostgresReader = (egress: Egress, limits: Limits): DatabaseReader =>
  createDatabaseReader({
    name: 'PostgreSQL',
    async connect(url) {
      const client = await connect(url, egress, limits)
      return {
        read: (text, parameters) => read(client, text, parameters, limits),
        close: () => client.end(),
      }
    },
  })

async function connect(url: string, egress: Egress, limits: Limits): Promise<Client> {
  const { default: pg } = await import('pg')
  const client = new pg.Client(await toConfig(url, egress, limits))
  // the next query notices a connection that broke between queries
  client.on('error', () => {})
  await client.connect()
  return client
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

async function read(
  client: Client,
  text: string,
  values: readonly unknown[],
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
  values: readonly unknown[],
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
    reject(tooManyRows({ maxQueryRows, maxQueryBytes }))
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
