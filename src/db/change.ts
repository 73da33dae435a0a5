import { sql } from 'kysely'
import { compileOnce } from './compile-once.ts'
import { isPostgres } from './dialect.ts'
import { commitInGroup } from './group-commit.ts'
import type { Db, Tx } from './schema.ts'

const nextVersion = sql<number>`version + 1`

const bumpProjectVersion = compileOnce((db: Db, projectId: number) =>
  db.updateTable('projects').set({ version: nextVersion }).where('id', '=', projectId),
)

/**
 * Runs a change of one project's data. Bumping the version first locks the project's row, so changes of one project run
 * one after another on both databases, and checks inside the change stay valid until the commit. Within a transaction,
 * the change joins it, so that an operation can be made of others.
 */
export function changeProject<T>(
  db: Db,
  projectId: number,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  const work = async (tx: Tx) => {
    await bumpProjectVersion(tx, projectId)
    return change(tx)
  }
  if (db.isTransaction) return work(db as Tx)
  return isPostgres(db) ? db.transaction().execute(work) : commitInGroup(db, work)
}

/** Runs a change of users, memberships, keys or projects. Every server then authenticates its callers again. */
export function changeAccess<T>(db: Db, change: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await tx.updateTable('access_state').set({ version: nextVersion }).execute()
    return change(tx)
  })
}

/** Runs a change of rows that no cached response shows, of which there may be many at a time. */
export const changeInGroup = <T>(db: Db, change: (tx: Tx) => Promise<T>): Promise<T> =>
  isPostgres(db) ? db.transaction().execute(change) : commitInGroup(db, change)

/** Runs a change of rows that no cached response shows, such as the state of an import app. */
export function changeUncached<T>(db: Db, change: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(change)
}
