import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#server/db/schema.ts'

/** Makes changes of the tables wait for each other. */
export const lockEvents = (tx: Tx) =>
  sql`select pg_advisory_xact_lock(hashtext('hedgerow events'))`.execute(tx)

const PERSONS = sql`hashtext('hedgerow persons')`

/** Locks every project's persons until the transaction ends, for a rebuild. */
export const lockAllPersons = (tx: Tx) => sql`select pg_advisory_xact_lock(${PERSONS})`.execute(tx)

/**
 * Locks the persons of projects until the transaction ends, in the order of their IDs to avoid deadlocks. Changing
 * persons takes the lock exclusively; adding persons shares it.
 */
export async function lockPersons(
  tx: Tx,
  projects: ReadonlyMap<number, 'shared' | 'exclusive'>,
): Promise<void> {
  const sorted = [...projects].sort(([one], [other]) => one - other)
  await sql`select pg_advisory_xact_lock_shared(${PERSONS})`.execute(tx)
  await sql`
    select case when is_exclusive then pg_advisory_xact_lock(key) else pg_advisory_xact_lock_shared(key) end
    from unnest(
      ${sorted.map(([, mode]) => mode === 'exclusive')}::boolean[],
      ${sorted.map(([projectId]) => `hedgerow persons ${projectId}`)}::text[]
    ) as given (is_exclusive, name), hashtextextended(name, 0) as key`.execute(tx)
}

/**
 * Locks work that one server at a time does, until the transaction ends. Returns whether no other server has the lock. A
 * lock of a transaction works through poolers too. Without a statement that reads, it keeps no row from being vacuumed.
 */
export async function tryLock(tx: Tx, key: RawBuilder<unknown>): Promise<boolean> {
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
  const { rows } = await sql<{ is_ours: boolean }>`
    select pg_try_advisory_xact_lock(${key}) as is_ours`.execute(tx)
  return rows[0]?.is_ours ?? false
}
