import type { Principal } from '#server/access/keys.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { inSeconds } from '#server/db/values.ts'
import { conflict, invalid } from '#server/errors.ts'
import { getProject } from './projects.ts'
import {
  countRunningRuns,
  deleteProject,
  deleteRemovedProject,
  listProjectIds,
  listRemovedProjects,
} from './store.ts'

interface RemovalDeps {
  readonly db: Db
  readonly events: EventStore
}

/** Deletes a project with everything in it, including its events. */
export async function removeProject(
  { db, events }: RemovalDeps,
  principal: Principal,
  { id: reference, confirm }: { id: string; confirm?: string },
): Promise<void> {
  const { id } = await changeAccess(db, async (tx) => {
    const project = await getProject(tx, principal, reference)
    if (confirm !== undefined && confirm !== project.name) {
      throw invalid('confirm', "Enter the project's exact name.")
    }
    if ((await listProjectIds(tx)).length === 1) {
      throw conflict('This is the last project. Create another one first.')
    }
    if ((await countRunningRuns(tx, project.id)) > 0) {
      throw conflict('An import app is running in this project. Cancel the run first.')
    }
    await deleteProject(tx, project.id)
    return project
  })
  // after the commit, when the token no longer accepts events
  await events.deleteProject(id)
}

/** Time for events that were accepted before the removal to arrive. */
const STRAGGLERS_S = 3600

/** Deletes events of removed projects that were left by a crash or came in during the removal. */
export async function finishRemovals(db: Db, events: EventStore): Promise<void> {
  for (const { id, removed_at } of await listRemovedProjects(db)) {
    await events.deleteProject(id)
    if (removed_at > inSeconds(-STRAGGLERS_S)) continue
    await deleteRemovedProject(db, id)
  }
}
