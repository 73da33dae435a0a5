import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { conflict } from '#server/errors.ts'
import { requireProjects } from '../projects/projects.ts'
import {
  type Account,
  clearCurrentProject,
  deleteMember,
  insertMember,
  listMemberships,
  toAccount,
} from './members-store.ts'
import { getUser } from './users.ts'

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
