import type { Caller } from '#server/access/guard.ts'
import { ADMIN_LEVEL } from '#server/access/keys.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { invalid, notFound } from '#server/errors.ts'
import { toChange } from '#server/features/activity/store.ts'
import { toUuid } from '#server/http/ids.ts'
import { logDashboard } from '../dashboards/activity.ts'
import { requireEdit } from '../dashboards/patch-dashboard.ts'
import { getDashboardRow } from '../dashboards/read-dashboard.ts'
import { type DashboardRow, updateDashboard } from '../dashboards/store.ts'
import type { Collaborator, CollaboratorCreate } from './schema.ts'
import { deleteCollaborator, insertCollaborator, listCollaborators } from './store.ts'

export async function getCollaborators(
  db: Db,
  caller: Caller,
  dashboardId: number,
): Promise<Collaborator[]> {
  await getDashboardRow(db, caller, dashboardId, 'Dashboard')
  return listCollaborators(db, caller.projectId, dashboardId)
}

export function addCollaborator(
  db: Db,
  caller: Caller,
  dashboardId: number,
  { user_uuid, level }: CollaboratorCreate,
): Promise<Collaborator> {
  return changeProject(db, caller.projectId, async (tx) => {
    const dashboard = await getEditable(tx, caller, dashboardId)
    const userId = await getCandidate(tx, caller.projectId, dashboardId, user_uuid)
    await insertCollaborator(tx, caller.projectId, dashboardId, userId, level)
    await updateDashboard(tx, dashboard, {}) // what it says of that user's rights may differ now
    const all = await listCollaborators(tx, caller.projectId, dashboardId)
    const added = all.find(({ user }) => user.id === userId) as Collaborator
    await logDashboard(tx, caller, dashboard, 'collaborator added', toInvitation(null, added))
    return added
  })
}

export function removeCollaborator(
  db: Db,
  caller: Caller,
  dashboardId: number,
  userUuid: string,
): Promise<void> {
  return changeProject(db, caller.projectId, async (tx) => {
    const dashboard = await getEditable(tx, caller, dashboardId)
    const all = await listCollaborators(tx, caller.projectId, dashboardId)
    const removed = all.find(({ user_uuid }) => user_uuid === toUuid(userUuid))
    if (!removed) throw notFound()
    await deleteCollaborator(tx, caller.projectId, removed.id)
    await updateDashboard(tx, dashboard, {})
    await logDashboard(tx, caller, dashboard, 'collaborator removed', toInvitation(removed, null))
  })
}

async function getEditable(tx: Tx, caller: Caller, dashboardId: number): Promise<DashboardRow> {
  const dashboard = await getDashboardRow(tx, caller, dashboardId, 'Dashboard')
  requireEdit(caller, dashboard)
  return dashboard
}

/** Somebody who reaches the project and is no collaborator yet. */
async function getCandidate(
  tx: Tx,
  projectId: number,
  dashboardId: number,
  userUuid: string,
): Promise<number> {
  const user = await tx
    .selectFrom('users')
    .leftJoin('project_members as member', (join) =>
      join.onRef('member.user_id', '=', 'users.id').on('member.project_id', '=', projectId),
    )
    .leftJoin('collaborators as existing', (join) =>
      join.onRef('existing.user_id', '=', 'users.id').on('existing.dashboard_id', '=', dashboardId),
    )
    .select(['users.id', 'users.level', 'member.user_id as member', 'existing.id as existing'])
    .where('users.uuid', '=', toUuid(userUuid) ?? '')
    .executeTakeFirst()
  if (!user) throw invalid(null, 'User does not exist.')
  if (user.level < ADMIN_LEVEL && user.member === null) {
    throw invalid(null, 'Cannot add collaborators that have no access to the project.')
  }
  if (user.existing !== null) throw invalid(null, 'User already is a collaborator.')
  return user.id
}

const toInvitation = (before: Collaborator | null, after: Collaborator | null) => {
  const brief = (one: Collaborator | null) => one && { user: one.user_uuid, level: one.level }
  return [toChange('Dashboard', 'collaborator', brief(before), brief(after))]
}
