import { ADMIN_LEVEL, type Principal } from '#server/access/keys.ts'
import { changeAccess } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { invalid, notFound } from '#server/errors.ts'
import { defineLog } from '#server/features/activity/log.ts'
import { toId } from '#server/http/ids.ts'
import { requireName } from '#server/http/names.ts'
import { isTimeZone } from '#server/http/time-zone.ts'
import { hasSecondFactor } from '../second-factor/store.ts'
import { findUser, toUser } from '../users/store.ts'
import { projectResource } from './fields.ts'
import { getOrganizationRow } from './organization.ts'
import { organizationResource } from './organization-fields.ts'
import type { Me, Project, ProjectPatch, StoredProject } from './schema.ts'
import {
  findProject,
  insertProject,
  listProjectIds,
  listProjects,
  newToken,
  updateProject,
} from './store.ts'
import { requireUnavailableOff } from './unavailable-settings.ts'

/** Returns a project as its user may see it: viewers send no events, and do not see whom the filters of the team name. */
export function toSeenProject(principal: Principal, project: StoredProject): Project {
  if (principal.viewerOf.has(project.id)) {
    return { ...project, api_token: '', test_account_filters: [], user_access_level: 'viewer' }
  }
  return { ...project, user_access_level: principal.level >= ADMIN_LEVEL ? 'admin' : 'member' }
}

export async function listOwnProjects(
  db: Db,
  principal: Principal,
  range: PageRange,
): Promise<Slice<Project>> {
  const { count, results } = await listProjects(db, [...principal.memberOf], range)
  return { count, results: results.map((project) => toSeenProject(principal, project)) }
}

export const getProject = async (
  db: Db,
  principal: Principal,
  reference: string,
): Promise<Project> => toSeenProject(principal, await getStoredProject(db, principal, reference))

/** Reports projects that the key cannot see as not found. */
async function getStoredProject(
  db: Db,
  principal: Principal,
  reference: string,
): Promise<StoredProject> {
  const id = reference === '@current' ? principal.currentProject : toId(reference)
  const project = id !== undefined && principal.memberOf.has(id) && (await findProject(db, id))
  if (!project) throw notFound()
  return project
}

export async function getMe(db: Db, principal: Principal): Promise<Me> {
  const user = await findUser(db, principal.userId)
  if (!user) throw notFound()
  const organization = organizationResource.toItem(await getOrganizationRow(db), {
    level: user.level,
  })
  const current = principal.currentProject
  const team = current === undefined ? undefined : await findProject(db, current)
  return {
    ...toUser(user),
    date_joined: user.created_at,
    has_password: user.password_hash !== null,
    is_2fa_enabled: await hasSecondFactor(db, user.id),
    second_factor_due_at: principal.secondFactorDue,
    team: team ? toSeenProject(principal, team) : null,
    organization,
    organizations: [organization],
  }
}

export async function createProject(
  db: Db,
  name: string,
  timezone = 'UTC',
): Promise<StoredProject> {
  const validName = requireName('name', name, 400)
  requireTimeZone(timezone)
  return changeAccess(db, async (tx) => {
    const { id } = await getOrganizationRow(tx)
    return insertProject(tx, id, validName, timezone)
  })
}

export async function patchProject(
  db: Db,
  principal: Principal,
  reference: string,
  patch: ProjectPatch,
): Promise<Project> {
  if (patch.timezone !== undefined) requireTimeZone(patch.timezone)
  requireUnavailableOff(patch)
  const columns = projectResource.toColumns(patch)
  return changeAccess(db, async (tx) => {
    const before = await getStoredProject(tx, principal, reference)
    const after = await updateProject(tx, before.id, columns)
    const actor = { projectId: before.id, userId: principal.userId }
    const changes = projectLog.listChanges(before, after)
    await projectLog.logUpdate(tx, actor, { before, after }, changes)
    return toSeenProject(principal, after)
  })
}

/** Replaces the token; the old one is refused from now on. */
export const rotateToken = (db: Db, principal: Principal, reference: string): Promise<Project> =>
  changeAccess(db, async (tx) => {
    const { id } = await getStoredProject(tx, principal, reference)
    const after = await updateProject(tx, id, { api_token: newToken() })
    const actor = { projectId: id, userId: principal.userId }
    await projectLog.logActivity(tx, actor, after, 'token rotated')
    return toSeenProject(principal, after)
  })

/** Also logs templates, deleted events and members by name, because the log needs a number and they have none. */
export const projectLog = defineLog<Pick<StoredProject, 'id' | 'name'>, StoredProject>('Project', {
  toItem: (project) => project,
  toLogged: (project) => project,
})

function requireTimeZone(name: string): void {
  if (isTimeZone(name)) return
  throw invalid('timezone', `"${name}" is not a valid choice.`, 'invalid_choice')
}

export async function requireProjects(
  db: Db,
  ids: readonly number[],
  attr = 'project',
): Promise<void> {
  const known = await listProjectIds(db)
  const unknown = ids.find((id) => !known.includes(id))
  if (unknown === undefined) return
  throw invalid(attr, `There is no project ${unknown}.`, 'does_not_exist')
}
