import type { ProjectLevel } from '#model/levels.ts'
import { changeAccess } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { requireLength } from '#server/http/names.ts'
import { requireProjects } from '../projects/projects.ts'
import { insertUser } from '../users/store.ts'
import { requireEmail, requireFreeEmail } from '../users/users.ts'
import { type OrganizationLevel, requireLevelOfMember } from './organization-levels.ts'
import { type Account, insertMember, toAccount } from './store.ts'

export interface UserCreate {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly level: OrganizationLevel
  /** Projects that the user joins; the first becomes their current one. */
  readonly projects: readonly number[]
  /** The level in these projects. Default: member. */
  readonly accessLevel?: ProjectLevel
  readonly passwordHash?: string
}

export const createUser = (db: Db, user: UserCreate): Promise<Account> =>
  changeAccess(db, (tx) => addUser(tx, user))

/** Takes a transaction, so that callers can add changes. */
export async function addUser(tx: Tx, user: UserCreate): Promise<Account> {
  const email = requireEmail(user.email)
  const firstName = requireLength('first name', user.firstName, 150)
  const lastName = requireLength('last name', user.lastName, 150)
  const projects = [...new Set(user.projects)]
  requireLevelOfMember(user.level, user.accessLevel, 'access_level')
  await requireFreeEmail(tx, email)
  await requireProjects(tx, projects)
  const row = await insertUser(tx, {
    email,
    firstName,
    lastName,
    level: user.level,
    currentProject: projects[0] ?? null,
    passwordHash: user.passwordHash ?? null,
  })
  const access_level = user.accessLevel ?? 'member'
  const memberships = projects.map((project_id) => ({ project_id, access_level }))
  for (const membership of memberships) await insertMember(tx, row.id, membership)
  return toAccount(row, memberships)
}
