import type { ProjectLevel } from '#model/levels.ts'
import type { Caller } from '#server/access/guard.ts'
import { ADMIN_LEVEL } from '#server/access/keys.ts'
import { changeAccess } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { type ApiError, conflict, invalid, notFound } from '#server/errors.ts'
import { toChange } from '#server/features/activity/store.ts'
import { projectLog, requireProjects } from '../projects/projects.ts'
import { findUserByUuid, toUser, type UserRow } from '../users/store.ts'
import { getUser } from '../users/users.ts'
import { getMember } from './organization-members.ts'
import type { ProjectMember, ProjectMemberCreate } from './schema.ts'
import {
  type Account,
  type AddedMember,
  clearCurrentProject,
  deleteMember,
  insertMember,
  listAdded,
  listMemberships,
  listUsersWithProjects,
  toAccount,
  updateMember,
} from './store.ts'

/** Lists the users with access to the project, sorted by name. */
export async function listProjectMembers(
  db: Db,
  projectId: number,
  { limit, offset }: PageRange,
): Promise<Slice<ProjectMember>> {
  const added = await listAdded(db, projectId)
  const members = (await listUsersWithProjects(db)).filter(
    ({ user }) => user.level >= ADMIN_LEVEL || added.has(user.id),
  )
  const results = members
    .slice(offset, offset + limit)
    .map(({ user }) => toProjectMember(user, added.get(user.id)))
  return { count: members.length, results }
}

export function addProjectMember(
  db: Db,
  { projectId, userId }: Caller,
  { user_uuid, access_level = 'member' }: ProjectMemberCreate,
): Promise<ProjectMember> {
  return changeAccess(db, async (tx) => {
    const user = await findUserByUuid(tx, user_uuid.toLowerCase())
    if (!user || user.removed_at !== null) throw invalid('user_uuid', 'User does not exist.')
    await add(tx, { projectId, userId }, user, access_level)
    return toProjectMember(user, (await listAdded(tx, projectId)).get(user.id))
  })
}

export function patchProjectMember(
  db: Db,
  { projectId, userId }: Caller,
  uuid: string,
  level: ProjectLevel,
): Promise<ProjectMember> {
  return changeAccess(db, async (tx) => {
    const user = await getMember(tx, uuid)
    await changeLevel(tx, { projectId, userId }, user, level)
    return toProjectMember(user, (await listAdded(tx, projectId)).get(user.id))
  })
}

export function removeProjectMember(
  db: Db,
  { projectId, userId }: Caller,
  uuid: string,
): Promise<void> {
  return changeAccess(db, async (tx) =>
    remove(tx, { projectId, userId }, await getMember(tx, uuid)),
  )
}

/** The command line has no user. */
const byOperator = (projectId: number): Actor => ({ projectId, userId: null })

/** Adds a user to a project, for the command line. */
export const addMember = (
  db: Db,
  reference: string,
  projectId: number,
  level: ProjectLevel,
): Promise<Account> =>
  changeAccount(db, reference, projectId, (tx, user) => add(tx, byOperator(projectId), user, level))

/** Changes a user's level in a project, for the command line. */
export const setMemberLevel = (
  db: Db,
  reference: string,
  projectId: number,
  level: ProjectLevel,
): Promise<Account> =>
  changeAccount(db, reference, projectId, (tx, user) =>
    changeLevel(tx, byOperator(projectId), user, level),
  )

/** Removes a user from a project, for the command line. */
export const removeMember = (db: Db, reference: string, projectId: number): Promise<Account> =>
  changeAccount(db, reference, projectId, async (tx, user) => {
    if (!(await listAdded(tx, projectId)).has(user.id)) throw notMember(user, projectId)
    await remove(tx, byOperator(projectId), user)
  })

const changeAccount = (
  db: Db,
  reference: string,
  projectId: number,
  change: (tx: Tx, user: UserRow) => Promise<void>,
): Promise<Account> =>
  changeAccess(db, async (tx) => {
    const user = await getUser(tx, reference)
    await requireProjects(tx, [projectId])
    await change(tx, user)
    return toAccount(user, await listMemberships(tx, user.id))
  })

interface Actor {
  readonly projectId: number
  readonly userId: number | null
}

async function add(tx: Tx, actor: Actor, user: UserRow, level: ProjectLevel): Promise<void> {
  const { projectId } = actor
  if ((await listAdded(tx, projectId)).has(user.id)) {
    throw conflict(`${user.email} is already a member of project ${projectId}.`)
  }
  await insertMember(tx, user.id, { project_id: projectId, access_level: level })
  await log(tx, actor, user, 'member added', [undefined, level])
}

async function changeLevel(
  tx: Tx,
  actor: Actor,
  user: UserRow,
  level: ProjectLevel,
): Promise<void> {
  const { projectId } = actor
  const before = (await listAdded(tx, projectId)).get(user.id)
  if (!before) throw notMember(user, projectId)
  if (before.access_level === level) return
  await updateMember(tx, user.id, { project_id: projectId, access_level: level })
  await log(tx, actor, user, 'member level changed', [before.access_level, level])
}

async function remove(tx: Tx, actor: Actor, user: UserRow): Promise<void> {
  const { projectId } = actor
  const before = (await listAdded(tx, projectId)).get(user.id)
  if (!before) throw notFound()
  await deleteMember(tx, projectId, user.id)
  await clearCurrentProject(tx, projectId, user.id)
  await log(tx, actor, user, 'member removed', [before.access_level, undefined])
}

const log = (
  tx: Tx,
  actor: Actor,
  user: UserRow,
  activity: string,
  [before, after]: readonly [ProjectLevel | undefined, ProjectLevel | undefined],
): Promise<void> => {
  const name = `${user.first_name} ${user.last_name}`.trim() || user.email
  const change = toChange('Project', 'access_level', before, after)
  return projectLog.logActivity(tx, actor, { id: actor.projectId, name }, activity, [change])
}

const notMember = ({ email }: UserRow, projectId: number): ApiError =>
  conflict(`${email} is not a member of project ${projectId}.`)

const toProjectMember = (user: UserRow, added: AddedMember | undefined): ProjectMember => ({
  user: toUser(user),
  level: user.level,
  access_level: user.level >= ADMIN_LEVEL ? 'admin' : (added?.access_level ?? 'member'),
  added_at: added?.added_at ?? null,
})
