import type { Caller } from '#server/access/guard.ts'
import { ADMIN_LEVEL } from '#server/access/keys.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { invalid, notFound } from '#server/errors.ts'
import { toChange } from '#server/features/activity/store.ts'
import { toUuid } from '#server/http/ids.ts'
import { logDashboard } from '../dashboards/activity.ts'
import { getDashboardRow } from '../dashboards/dashboards.ts'
import { type DashboardRow, updateDashboard } from '../dashboards/store.ts'
import { requireEdit } from '../rights.ts'
import type { Collaborator, CollaboratorCreate } from './schema.ts'
import {
  deleteCollaborator,
  findCandidate,
  insertCollaborator,
  listCollaborators,
} from './store.ts'

export async function getCollaborators(
  db: Db,
  caller: Caller,
  dashboardId: number,
): Promise<Collaborator[]> {
  await getDashboardRow(db, caller, dashboardId, 'Dashboard')
  return listCollaborators(db, caller.projectId, dashboardId)
}

interface AddInput {
  readonly dashboardId: number
  readonly body: CollaboratorCreate
}

export function addCollaborator(
  db: Db,
  caller: Caller,
  { dashboardId, body }: AddInput,
): Promise<Collaborator> {
  const { projectId } = caller
  return changeProject(db, projectId, async (tx) => {
    const dashboard = await getEditableDashboard(tx, caller, dashboardId)
    const userId = await getCandidate(tx, projectId, dashboardId, body.user_uuid)
    await insertCollaborator(tx, { projectId, dashboardId, userId, level: body.level })
    await touchDashboard(tx, dashboard)
    const all = await listCollaborators(tx, projectId, dashboardId)
    const added = all.find(({ user }) => user.id === userId) as Collaborator
    await logDashboard(tx, caller, dashboard, 'collaborator added', toChanges(null, added))
    return added
  })
}

interface RemoveInput {
  readonly dashboardId: number
  readonly userUuid: string
}

export function removeCollaborator(
  db: Db,
  caller: Caller,
  { dashboardId, userUuid }: RemoveInput,
): Promise<void> {
  const { projectId } = caller
  return changeProject(db, projectId, async (tx) => {
    const dashboard = await getEditableDashboard(tx, caller, dashboardId)
    const all = await listCollaborators(tx, projectId, dashboardId)
    const removed = all.find(({ user_uuid }) => user_uuid === toUuid(userUuid))
    if (!removed) throw notFound()
    await deleteCollaborator(tx, projectId, removed.id)
    await touchDashboard(tx, dashboard)
    await logDashboard(tx, caller, dashboard, 'collaborator removed', toChanges(removed, null))
  })
}

async function getEditableDashboard(
  tx: Tx,
  caller: Caller,
  dashboardId: number,
): Promise<DashboardRow> {
  const dashboard = await getDashboardRow(tx, caller, dashboardId, 'Dashboard')
  requireEdit(caller, dashboard)
  return dashboard
}

/** Invalidates cached responses, which have the collaborator's effective privilege. */
const touchDashboard = (tx: Tx, dashboard: DashboardRow): Promise<void> =>
  updateDashboard(tx, dashboard, {})

/** Returns the id of a user who has access to the project and is not a collaborator yet. */
async function getCandidate(
  tx: Tx,
  projectId: number,
  dashboardId: number,
  userUuid: string,
): Promise<number> {
  const user = await findCandidate(tx, projectId, dashboardId, toUuid(userUuid) ?? '')
  if (!user) throw invalid(null, 'User does not exist.')
  if (user.level < ADMIN_LEVEL && user.member === null) {
    throw invalid(null, 'Cannot add collaborators that have no access to the project.')
  }
  if (user.existing !== null) throw invalid(null, 'User already is a collaborator.')
  return user.id
}

const toChanges = (before: Collaborator | null, after: Collaborator | null) => [
  toChange('Dashboard', 'collaborator', toLogged(before), toLogged(after)),
]

const toLogged = (collaborator: Collaborator | null) =>
  collaborator && { user: collaborator.user_uuid, level: collaborator.level }
