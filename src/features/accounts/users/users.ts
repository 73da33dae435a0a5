import { changeAccess } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { invalid } from '#server/errors.ts'
import { toId, toUuid } from '#server/http/ids.ts'
import { requireLength } from '#server/http/names.ts'
import { requireProjects } from '../projects/projects.ts'
import { type Account, insertMember, toAccount } from './members-store.ts'
import type { OrganizationLevel } from './organization-levels.ts'
import { findUser, findUserByEmail, findUserByUuid, insertUser, type UserRow } from './store.ts'

export interface UserCreate {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly level: OrganizationLevel
  /** Projects that the user joins; the first becomes their current one. */
  readonly projects: readonly number[]
  readonly passwordHash?: string
}

/** Matches `format: email` of the response schemas. */
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i

export const createUser = (db: Db, user: UserCreate): Promise<Account> =>
  changeAccess(db, (tx) => addUser(tx, user))

/** Takes a transaction, so that callers can add changes. */
export async function addUser(tx: Tx, user: UserCreate): Promise<Account> {
  const email = requireEmail(user.email)
  const firstName = requireLength('first name', user.firstName, 150)
  const lastName = requireLength('last name', user.lastName, 150)
  const projects = [...new Set(user.projects)]
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
  for (const projectId of projects) await insertMember(tx, projectId, row.id)
  return toAccount(row, projects)
}

export function requireEmail(text: string): string {
  const email = requireLength('email', text, 254)
  if (!EMAIL.test(email)) throw invalid('email', `"${email}" is not an e-mail address.`)
  return email
}

/** `own`: a user who may have the address already. */
export async function requireFreeEmail(db: Db, email: string, own?: number): Promise<void> {
  const user = await findUserByEmail(db, email)
  if (!user || user.id === own) return
  throw invalid('email', `There is already a user with the e-mail ${email}.`)
}

/** Accepts an e-mail, UUID or ID. */
export async function getUser(db: Db, reference: string): Promise<UserRow> {
  const user = await findUserBy(db, reference)
  if (user && user.removed_at === null) return user
  throw invalid('user', `There is no user "${reference}".`, 'does_not_exist')
}

async function findUserBy(db: Db, reference: string): Promise<UserRow | undefined> {
  if (reference.includes('@')) return findUserByEmail(db, reference)
  const uuid = toUuid(reference)
  if (uuid) return findUserByUuid(db, uuid)
  const id = toId(reference)
  return id === undefined ? undefined : findUser(db, id)
}
