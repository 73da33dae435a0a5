import { Kysely, PostgresDialect, PostgresDriver } from 'kysely'
import pg from 'pg'
import { waitAtMost } from '../concurrency.ts'
import { OperatorError } from '../errors.ts'
import { createConnectionWatch } from './connection-watch.ts'
import { supportCopy } from './copy-rows.ts'
import { requireUnlocked } from './database-lock.ts'
import type { Schema } from './schema.ts'
import { toReason } from './storage-problem.ts'
import { withoutPassword } from './without-password.ts'

export interface PostgresConnection {
  readonly db: Kysely<Schema>
  close(): Promise<void>
}

const INT8 = 20

/** A statement that PostgreSQL does not cancel keeps its connection. */
const CLOSE_MS = 3000

/** Parses bigint as a number, since IDs stay below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** Keeps the first error when the connection is gone: a failed rollback would hide it. */
class LenientPostgresDriver extends PostgresDriver {
  override async rollbackTransaction(
    ...given: Parameters<PostgresDriver['rollbackTransaction']>
  ): Promise<void> {
    await super.rollbackTransaction(...given).catch(() => {}) // PostgreSQL rolls back with the connection
  }
}

/** `isHeld` says that this process has locked the database, see `holdStorage`. */
export async function connectPostgres(url: string, isHeld = false): Promise<PostgresConnection> {
  const watch = createConnectionWatch(url)
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: 10,
    connectionTimeoutMillis: 5000,
    application_name: 'hedgerow',
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    onConnect: async (client) => {
      supportCopy(client)
      await watch.add(client)
      if (!isHeld) await requireUnlocked(client)
    },
  })
  // the pool replaces a broken idle connection; without a listener the error would end the process
  pool.on('error', () => {})
  try {
    await pool.query('select 1')
  } catch (error) {
    watch.stop()
    await pool.end()
    if (error instanceof OperatorError) throw error
    throw new OperatorError(
      `Cannot reach PostgreSQL at ${withoutPassword(url)}: ${toReason(error)}. Check DATABASE_URL and that the server is up.`,
    )
  }
  const dialect = new PostgresDialect({ pool })
  dialect.createDriver = () => new LenientPostgresDriver({ pool })
  const db = new Kysely<Schema>({ dialect })
  return {
    db,
    async close() {
      watch.stop()
      await waitAtMost(db.destroy(), CLOSE_MS)
    },
  }
}
