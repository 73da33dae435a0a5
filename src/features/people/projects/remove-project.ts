import type { Principal } from '#server/access/keys.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { inSeconds } from '#server/db/values.ts'
import { conflict, invalid } from '#server/errors.ts'
import { getProject } from './projects.ts'
import { countRunning, deleteProject, listProjectIds } from './store.ts'

/** With everything in it, for good. */
export async function removeProject(
  db: Db,
  events: EventStore,
  holder: Principal,
  asked: string,
  confirm: string,
): Promise<void> {
  const { id } = await changeAccess(db, async (tx) => {
    const project = await getProject(tx, holder, asked)
    if (confirm !== project.name) {
      throw invalid('confirm', "It must be the project's name, exactly as it is written.")
    }
    if ((await listProjectIds(tx)).length === 1) {
      throw conflict('This is the last project. Make another one first.')
    }
    if ((await countRunning(tx, project.id)) > 0) {
      throw conflict('An import app is running in it. Cancel its run first.')
    }
    await deleteProject(tx, project.id)
    return project
  })
  // after the commit: from then on nobody can send more of them
  await events.deleteProject(id)
}

const STRAGGLERS_S = 3600

/** Deletes the events of removed projects: a server may have died before it did, or have taken some in that very moment. */
export async function finishRemovals(db: Db, events: EventStore): Promise<void> {
  const removed = await db.selectFrom('removed_projects').selectAll().orderBy('id').execute()
  for (const { id, removed_at } of removed) {
    await events.deleteProject(id)
    if (removed_at > inSeconds(-STRAGGLERS_S)) continue
    await db.deleteFrom('removed_projects').where('id', '=', id).execute()
  }
}
