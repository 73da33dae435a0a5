import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { lockDatabase } from '#server/db/database-lock.ts'
import { lockDataFolder } from '#server/db/folder-lock.ts'
import { connectStorage, type StorageOptions } from '#server/db/open.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { OperatorError } from '#server/errors.ts'

/**
 * Runs work while no server or worker can use the storage: it would keep serving cached state, and a copy would lack
 * its writes. Throws if one runs. The work opens the storage with the options that it gets.
 */
export async function holdStorage<Options extends StorageOptions, T>(
  options: Options,
  work: (held: Options) => Promise<T>,
): Promise<T> {
  const held = { ...options, isHeld: true }
  if (options.databaseUrl) return holdDatabase(options, () => work(held))
  const unlock = lockDataFolder(options.dataFolder)
  try {
    return await work(held)
  } finally {
    unlock()
  }
}

/** Locks first and looks for connections second, so that a server that starts meanwhile notices the lock, or is noticed. */
async function holdDatabase<T>(options: StorageOptions, work: () => Promise<T>): Promise<T> {
  const { db, close } = await connectStorage(options)
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
      await lockDatabase(tx)
      await requireUnused(tx)
      const result = await work()
      await requireLocked(tx)
      return result
    })
  } finally {
    await close()
  }
}

/** The lock ends with its connection. */
async function requireLocked(tx: Tx): Promise<void> {
  await sql`select 1`.execute(tx).catch(() => {
    throw new OperatorError(
      'The connection to the database was lost for a moment, so a server may have written to it. Run the command again.',
    )
  })
}

/** The connections of a command that has just ended are there for a moment. */
const TRIES = 30
const TRY_AGAIN_MS = 100

async function requireUnused(db: Db): Promise<void> {
  for (let tries = 1; await hasOtherConnections(db); tries++) {
    if (tries === TRIES) {
      throw new OperatorError('Servers or workers use the database. Stop them first.')
    }
    await setTimeout(TRY_AGAIN_MS)
  }
}

async function hasOtherConnections(db: Db): Promise<boolean> {
  await sql`select pg_stat_clear_snapshot()`.execute(db) // a transaction sees its first list of connections again
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and application_name in ('hedgerow', 'hedgerow wake')`.execute(db)
  return rows.length > 0
}
