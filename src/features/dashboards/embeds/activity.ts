import type { Caller } from '#server/access/guard.ts'
import type { Tx } from '#server/db/schema.ts'
import { projectLog } from '#server/features/accounts/projects/projects.ts'
import { findProject } from '#server/features/accounts/projects/store.ts'
import type { Change } from '#server/features/activity/schema.ts'

/** Logs a change of the secrets or settings of embeds as one of the project. */
export async function logEmbeds(
  tx: Tx,
  caller: Caller,
  activity: string,
  changes: Change[],
): Promise<void> {
  const project = await findProject(tx, caller.projectId)
  if (project) await projectLog.logActivity(tx, caller, project, activity, changes)
}
