import { sql } from 'kysely'
import type pg from 'pg'
import { OperatorError } from '../errors.ts'
import type { Tx } from './schema.ts'

const LOCK = "hashtext('hedgerow storage')"

/** Keeps other processes from connecting to a PostgreSQL database until the transaction ends. */
export async function lockDatabase(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.raw(LOCK)})`.execute(tx)
}

/** Every connection asks when it opens, because one that was lost may come back at any time. */
export async function requireUnlocked(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ is_free: boolean }>(
    `select pg_try_advisory_xact_lock_shared(${LOCK}) as is_free`,
  )
  if (rows[0]?.is_free === false) {
    throw new OperatorError(
      'A command that needs the database for itself is running, such as `hedgerow move`. Try again when it has ended.',
    )
  }
}
