import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { addUser } from '#server/features/accounts/members/create-user.ts'
import { ORGANIZATION_LEVELS } from '#server/features/accounts/members/organization-levels.ts'
import {
  findGroupChange,
  followGroups,
  type GroupRule,
} from '#server/features/accounts/provisioning/follow-groups.ts'
import { listGroupNames } from '#server/features/accounts/scim/groups-store.ts'
import { isDeactivated } from '#server/features/accounts/scim/users-store.ts'
import { findUser, findUserByEmail, type UserRow } from '#server/features/accounts/users/store.ts'
import { isEmail } from '#server/features/accounts/users/users.ts'
import { type Claims, OidcProblem } from './provider.ts'

export interface AdmitDeps {
  readonly db: Db
  readonly settings: {
    readonly createsUsers: boolean
    /** Domains of users to create, in lower case; `*` is any. */
    readonly domains: readonly string[]
  }
  readonly groupRules: readonly GroupRule[]
}

/** Finds the user of verified claims, or creates one if that is allowed, and gives them what their groups give. */
export async function admitUser(deps: AdmitDeps, claims: Claims): Promise<number> {
  const { email, isEmailVerified } = claims
  // anyone could enter another user's address in their profile at the provider
  if (!email || !isEmailVerified) throw new OidcProblem('unverified_email', 'No verified e-mail.')
  // lowercasing maps some other letters to ASCII ones, such as the Kelvin sign to k
  const known = ASCII.test(email) ? await findUserByEmail(deps.db, email) : undefined
  const user = known ?? (await createUser(deps, email, claims))
  const managed = await listGroupNames(deps.db, user.id)
  await applyGroups(deps, user, [...claims.groups, ...managed])
  return user.id
}

const ASCII = /^[\x21-\x7e]+$/

async function createUser(
  { db, settings }: AdmitDeps,
  email: string,
  { firstName, lastName }: Claims,
): Promise<UserRow> {
  if (ASCII.test(email) && (await isDeactivated(db, email))) {
    throw new OidcProblem('deactivated', 'SCIM has deactivated the user with this e-mail.')
  }
  if (!settings.createsUsers) throw new OidcProblem('unknown_email', 'No user has this e-mail.')
  if (!isEmail(email) || !isAllowed(settings.domains, email)) {
    throw new OidcProblem('other_domain', 'HEDGEROW_OIDC_DOMAINS lacks the domain of the e-mail.')
  }
  return changeAccess(db, async (tx) => {
    const other = await findUserByEmail(tx, email) // signing in twice at the same time
    if (other) return other
    const level = ORGANIZATION_LEVELS.member
    const { id } = await addUser(tx, { email, firstName, lastName, level, projects: [] })
    const created = await findUser(tx, id)
    if (!created) throw new Error(`The user ${id} was not inserted`)
    return created
  })
}

const isAllowed = (domains: readonly string[], email: string): boolean =>
  domains.includes('*') || domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase())

/** Looks first, because a change makes every server authenticate all callers again. */
async function applyGroups(
  { db, groupRules }: AdmitDeps,
  user: UserRow,
  groups: readonly string[],
): Promise<void> {
  if (!(await findGroupChange(db, groupRules, user, groups))) return
  await changeAccess(db, async (tx) => {
    const current = await findUser(tx, user.id)
    if (current?.removed_at === null) await followGroups(tx, groupRules, current, groups)
  })
}
