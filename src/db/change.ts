import type { Db, Tx } from './schema.ts'

/**
 * Runs a change of one project's data. Moving the version first locks the project's row, so changes of one
 * project happen one after the other on both databases, and what is checked inside stays true until the commit.
 */
export function changeProject<T>(
  db: Db,
  projectId: number,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await tx
      .updateTable('projects')
      .set((eb) => ({ version: eb('version', '+', 1) }))
      .where('id', '=', projectId)
      .execute()
    return change(tx)
  })
}

/** Runs a change of users, memberships, keys or projects: every server looks its callers up again. */
export function changeAccess<T>(db: Db, change: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await tx
      .updateTable('access_state')
      .set((eb) => ({ version: eb('version', '+', 1) }))
      .execute()
    return change(tx)
  })
}
