import { ADMIN_LEVEL } from '#server/access/keys.ts'
import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import type { Slice, PageRange } from '#server/db/page-range.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import type { ProjectMember } from './member-schema.ts'
import {
  clearCurrentProject,
  deleteMember,
  insertMember,
  listAddedTimes,
  listUsersWithProjects,
} from './members-store.ts'
import { getMember } from './organization-members.ts'
import { findUserByUuid, toUser, type UserRow } from './store.ts'

/** Whoever reaches the project, by name. */
export async function listProjectMembers(
  db: Db,
  projectId: number,
  { limit, offset }: PageRange,
): Promise<Slice<ProjectMember>> {
  const added = await listAddedTimes(db, projectId)
  const reaching = (await listUsersWithProjects(db)).filter(
    ({ user }) => user.level >= ADMIN_LEVEL || added.has(user.id),
  )
  const results = reaching
    .slice(offset, offset + limit)
    .map(({ user }) => toProjectMember(user, added.get(user.id)))
  return { count: reaching.length, results }
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

const toProjectMember = (user: UserRow, added: string | undefined): ProjectMember => ({
  user: toUser(user),
  level: user.level,
  added_at: added ?? null,
})
