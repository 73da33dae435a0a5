import { changeAccess } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { notFound } from '#server/errors.ts'
import { toUuid } from '#server/http/ids.ts'
import { addUser } from '../members/create-user.ts'
import { ORGANIZATION_LEVELS } from '../members/organization-levels.ts'
import { requireAnotherOwner } from '../members/organization-members.ts'
import { revokeAccess } from '../members/organization-members-store.ts'
import { followGroups, type GroupRule } from '../provisioning/follow-groups.ts'
import { findUserByEmail, type UserRow } from '../users/store.ts'
import { isEmail } from '../users/users.ts'
import { ScimError } from './errors.ts'
import { parseFilter } from './filter.ts'
import { listGroupNames } from './groups-store.ts'
import type { UserChanges } from './user-changes.ts'
import {
  deleteScimUser,
  findByUserName,
  findScimUser,
  listScimUsers,
  type ScimUser,
  saveScimUser,
  updateProfile,
} from './users-store.ts'

export interface ScimDeps {
  readonly db: Db
  readonly groupRules: readonly GroupRule[]
}

export const listUsers = (
  { db }: ScimDeps,
  filter: string | undefined,
  range: PageRange,
): Promise<Slice<ScimUser>> =>
  listScimUsers(db, parseFilter(filter, ['userName', 'externalId']), range)

export async function getScimUser(db: Db, id: string): Promise<ScimUser> {
  const uuid = toUuid(id)
  const user = uuid && (await findScimUser(db, uuid))
  if (!user) throw notFound('User')
  return user
}

export function createScimUser(
  { db, groupRules }: ScimDeps,
  { userName = '', email: address, ...changes }: UserChanges,
): Promise<ScimUser> {
  const email = requireAddress(address ?? userName)
  return changeAccess(db, async (tx) => {
    await requireFree(tx, { userName, email })
    const { uuid } = await addUser(tx, {
      email,
      firstName: changes.firstName ?? '',
      lastName: changes.lastName ?? '',
      level: ORGANIZATION_LEVELS.member,
      projects: [],
    })
    const { user } = await getScimUser(tx, uuid)
    await saveScimUser(tx, toRow(user.id, userName, changes.externalId ?? null))
    if (changes.active === false) await revokeAccess(tx, user)
    else await followGroups(tx, groupRules, user, [])
    return getScimUser(tx, uuid)
  })
}

/** Deactivates and activates too. A user who was deactivated has no keys, sessions and projects but those of groups. */
export function changeScimUser(
  { db, groupRules }: ScimDeps,
  id: string,
  changes: UserChanges,
): Promise<ScimUser> {
  return changeAccess(db, async (tx) => {
    const before = await getScimUser(tx, id)
    const { user } = before
    const isActive = changes.active ?? user.removed_at === null
    const userName = changes.userName ?? nameOf(before)
    const email = requireAddress(toNewEmail(before, changes, userName))
    await requireFree(tx, { userName, email, own: user.id, isActive })
    if (!isActive) await deactivate(tx, user)
    const { firstName = user.first_name, lastName = user.last_name } = changes
    await updateProfile(tx, user, { first_name: firstName, last_name: lastName, email, isActive })
    const { externalId = before.scim?.external_id ?? null } = changes
    await saveScimUser(tx, toRow(user.id, userName, externalId))
    if (isActive && user.removed_at !== null) {
      const { user: returned } = await getScimUser(tx, user.uuid)
      await followGroups(tx, groupRules, returned, await listGroupNames(tx, user.id))
    }
    return getScimUser(tx, user.uuid)
  })
}

/** Their work stays under their name. */
export const removeScimUser = ({ db }: ScimDeps, id: string): Promise<void> =>
  changeAccess(db, async (tx) => {
    const { user } = await getScimUser(tx, id)
    await deactivate(tx, user)
    await deleteScimUser(tx, user.id)
  })

async function deactivate(tx: Tx, user: UserRow): Promise<void> {
  if (user.removed_at !== null) return
  if (user.level === ORGANIZATION_LEVELS.owner) await requireAnotherOwner(tx)
  await revokeAccess(tx, user)
}

export const nameOf = ({ user, scim }: ScimUser): string => scim?.user_name ?? user.email

/** The address follows the user name as long as they are the same. */
function toNewEmail(before: ScimUser, { email }: UserChanges, userName: string): string {
  if (email === null) return isEmail(userName) ? userName : before.user.email
  if (email !== undefined) return email
  const isSame = nameOf(before).toLowerCase() === before.user.email.toLowerCase()
  return isSame && isEmail(userName) ? userName : before.user.email
}

const toRow = (user_id: number, user_name: string, external_id: string | null) => ({
  user_id,
  user_name,
  user_name_key: user_name.toLowerCase(),
  external_id,
})

function requireAddress(email: string): string {
  if (isEmail(email)) return email
  const detail = 'emails has no e-mail address, and userName is none.'
  throw new ScimError('invalidValue', detail)
}

interface Names {
  readonly userName: string
  readonly email: string
  readonly own?: number
  readonly isActive?: boolean
}

async function requireFree(tx: Tx, { userName, email, own, isActive = true }: Names) {
  const named = await findByUserName(tx, userName)
  if (named !== undefined && named !== own) {
    throw new ScimError('uniqueness', `There is already a user with the userName ${userName}.`)
  }
  const other = isActive ? await findUserByEmail(tx, email) : undefined
  if (other && other.id !== own) {
    throw new ScimError('uniqueness', `There is already a user with the e-mail ${email}.`)
  }
}
