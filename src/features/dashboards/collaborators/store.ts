import type { Level } from '#model/levels.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { now, uuid } from '#server/db/values.ts'
import { toUser } from '#server/features/accounts/users/store.ts'
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

/** Finds a user, and whether they are a member of the project or already a collaborator. */
export const findCandidate = (tx: Tx, projectId: number, dashboardId: number, userUuid: string) =>
  tx
    .selectFrom('users')
    .leftJoin('project_members as member', (join) =>
      join.onRef('member.user_id', '=', 'users.id').on('member.project_id', '=', projectId),
    )
    .leftJoin('collaborators as existing', (join) =>
      join.onRef('existing.user_id', '=', 'users.id').on('existing.dashboard_id', '=', dashboardId),
    )
    .select(['users.id', 'users.level', 'member.user_id as member', 'existing.id as existing'])
    .where('users.uuid', '=', userUuid)
    .executeTakeFirst()

interface NewCollaborator {
  readonly projectId: number
  readonly dashboardId: number
  readonly userId: number
  readonly level: Level
}

export async function insertCollaborator(tx: Tx, collaborator: NewCollaborator): Promise<void> {
  const at = now()
  await tx
    .insertInto('collaborators')
    .values({
      id: uuid(),
      project_id: collaborator.projectId,
      dashboard_id: collaborator.dashboardId,
      user_id: collaborator.userId,
      level: collaborator.level,
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
