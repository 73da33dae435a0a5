import type { Level } from '#model/levels.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { now, uuid } from '#server/db/values.ts'
import { toUser } from '#server/features/people/users/store.ts'
import type { Collaborator } from './schema.ts'

export async function listCollaborators(
  db: Db,
  projectId: number,
  dashboardId: number,
): Promise<Collaborator[]> {
  const rows = await db
    .selectFrom('collaborators')
    .innerJoin('users', 'users.id', 'collaborators.user_id')
    .selectAll('users')
    .select(['collaborators.id as collaborator_id', 'collaborators.level as privilege'])
    .select(['added_at', 'updated_at'])
    .where('project_id', '=', projectId)
    .where('dashboard_id', '=', dashboardId)
    .orderBy('added_at')
    .orderBy('collaborators.id')
    .execute()
  return rows.map((row) => ({
    id: row.collaborator_id,
    dashboard_id: dashboardId,
    user: toUser(row),
    level: row.privilege as Level,
    added_at: row.added_at,
    updated_at: row.updated_at,
    user_uuid: row.uuid,
  }))
}

export async function insertCollaborator(
  tx: Tx,
  projectId: number,
  dashboardId: number,
  userId: number,
  level: Level,
): Promise<void> {
  const at = now()
  await tx
    .insertInto('collaborators')
    .values({
      id: uuid(),
      project_id: projectId,
      dashboard_id: dashboardId,
      user_id: userId,
      level,
      added_at: at,
      updated_at: at,
    })
    .execute()
}

export async function deleteCollaborator(tx: Tx, projectId: number, id: string): Promise<void> {
  await tx
    .deleteFrom('collaborators')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute()
}
