import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { OperatorError } from '../errors.ts'
import type { Schema } from './schema.ts'

const INT8 = 20

/** Parses bigint as a number, since IDs stay below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

export async function connectPostgres(url: string): Promise<Kysely<Schema>> {
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: 10,
    connectionTimeoutMillis: 5000,
    application_name: 'hedgerow',
  })
  // the pool replaces a broken idle connection; without a listener the error would end the process
  pool.on('error', () => {})
  try {
    await pool.query('select 1')
  } catch (error) {
    await pool.end()
    throw new OperatorError(
      `Cannot reach PostgreSQL at ${withoutPassword(url)}: ${toReason(error)}. Check DATABASE_URL and that the server is up.`,
    )
  }
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
}

function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return 'the given address'
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

/** A refused connection to a name with two addresses is an AggregateError without a message. */
const toReason = (error: unknown): string =>
  error instanceof AggregateError
    ? error.errors.map(({ message }: Error) => message).join(', ')
    : (error as Error).message
