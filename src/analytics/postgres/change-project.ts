import type { Db, Tx } from '#server/db/schema.ts'
import { lockPersons } from './locks.ts'
import { incrementVersions } from './versions.ts'

/** Changes a project's past in a transaction. If that changed anything, query results become stale. */
export const changeProject = <T extends boolean | number>(
  db: Db,
  projectId: number,
  work: (tx: Tx) => Promise<T>,
): Promise<T> =>
  db.transaction().execute(async (tx) => {
    await lockPersons(tx, new Map([[projectId, 'exclusive']]))
    const changed = await work(tx)
    if (changed) await incrementVersions(tx, [projectId])
    return changed
  })
