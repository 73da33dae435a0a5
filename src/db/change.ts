import { sql } from 'kysely'
import { compileOnce } from './compile-once.ts'
import { isPostgres } from './dialect.ts'
import { commitInGroup } from './group-commit.ts'
import type { Db, Tx } from './schema.ts'

const next = sql<number>`version + 1`

const moveProject = compileOnce((db: Db, projectId: number) =>
  db.updateTable('projects').set({ version: next }).where('id', '=', projectId),
)

/**
 * Runs a change of one project's data. Moving the version first locks the project's row, so changes of one
 * project happen one after the other on both databases, and what is checked inside stays true until the commit.
 */
export function changeProject<T>(
  db: Db,
  projectId: number,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  const work = async (tx: Tx) => {
    await moveProject(tx, projectId)
    return change(tx)
  }
  return isPostgres(db) ? db.transaction().execute(work) : commitInGroup(db, work)
}

/** Runs a change of users, memberships, keys or projects: every server looks its callers up again. */
export function changeAccess<T>(db: Db, change: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await tx.updateTable('access_state').set({ version: next }).execute()
    return change(tx)
  })
}

/** Runs a change of rows that no cached response shows, such as the state of an import app. */
export function changeUncached<T>(db: Db, change: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(change)
}
