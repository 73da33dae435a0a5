import { ADMIN_LEVEL } from '#server/access/keys.ts'
import { changeAccess } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import { requireProjects } from '../projects/projects.ts'
import { findUserByUuid, toUser, type UserRow } from '../users/store.ts'
import { getUser } from '../users/users.ts'
import { getMember } from './organization-members.ts'
import type { ProjectMember } from './schema.ts'
import {
  type Account,
  clearCurrentProject,
  deleteMember,
  insertMember,
  listAddedTimes,
  listMemberships,
  listUsersWithProjects,
  toAccount,
} from './store.ts'

/** Lists the users with access to the project, sorted by name. */
export async function listProjectMembers(
  db: Db,
  projectId: number,
  { limit, offset }: PageRange,
): Promise<Slice<ProjectMember>> {
  const added = await listAddedTimes(db, projectId)
  const members = (await listUsersWithProjects(db)).filter(
    ({ user }) => user.level >= ADMIN_LEVEL || added.has(user.id),
  )
  const results = members
    .slice(offset, offset + limit)
    .map(({ user }) => toProjectMember(user, added.get(user.id)))
  return { count: members.length, results }
}

export function addProjectMember(db: Db, projectId: number, uuid: string): Promise<ProjectMember> {
  return changeAccess(db, async (tx) => {
    const user = await findUserByUuid(tx, uuid.toLowerCase())
    if (!user || user.removed_at !== null) throw invalid('user_uuid', 'User does not exist.')
    if ((await listAddedTimes(tx, projectId)).has(user.id)) {
      throw conflict(`${user.email} is already a member of the project.`)
    }
    await insertMember(tx, projectId, user.id)
    return toProjectMember(user, (await listAddedTimes(tx, projectId)).get(user.id))
  })
}

export function removeProjectMember(db: Db, projectId: number, uuid: string): Promise<void> {
  return changeAccess(db, async (tx) => {
    const user = await getMember(tx, uuid)
    if (!(await listAddedTimes(tx, projectId)).has(user.id)) throw notFound()
    await deleteMember(tx, projectId, user.id)
    await clearCurrentProject(tx, projectId, user.id)
  })
}

/** Adds a user to a project, for the command line. */
export function addMember(db: Db, reference: string, projectId: number): Promise<Account> {
  return changeAccess(db, async (tx) => {
    const user = await getUser(tx, reference)
    await requireProjects(tx, [projectId])
    const projects = await listMemberships(tx, user.id)
    if (projects.includes(projectId)) {
      throw conflict(`${user.email} is already a member of project ${projectId}.`)
    }
    await insertMember(tx, projectId, user.id)
    return toAccount(user, [...projects, projectId])
  })
}

/** Removes a user from a project, for the command line. */
export function removeMember(db: Db, reference: string, projectId: number): Promise<Account> {
  return changeAccess(db, async (tx) => {
    const user = await getUser(tx, reference)
    await requireProjects(tx, [projectId])
    const projects = await listMemberships(tx, user.id)
    if (!projects.includes(projectId)) {
      throw conflict(`${user.email} is not a member of project ${projectId}.`)
    }
    await deleteMember(tx, projectId, user.id)
    await clearCurrentProject(tx, projectId, user.id)
    return toAccount(
      user,
      projects.filter((id) => id !== projectId),
    )
  })
}

const toProjectMember = (user: UserRow, added: string | undefined): ProjectMember => ({
  user: toUser(user),
  level: user.level,
  added_at: added ?? null,
})
