import type { Caller } from '#server/access/guard.ts'
import { ADMIN_LEVEL, type Principal } from '#server/access/keys.ts'
import { changeAccess } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { conflict, notFound } from '#server/errors.ts'
import { toUuid } from '#server/http/ids.ts'
import { hasSecondFactor } from '../second-factor/store.ts'
import { findUser, findUserByUuid, toUser, type UserRow } from '../users/store.ts'
import {
  ORGANIZATION_LEVELS,
  type OrganizationLevel,
  requireCanChangeLevel,
} from './organization-levels.ts'
import {
  countOwners,
  deleteInvitesBy,
  revokeAccess,
  updateLevel,
} from './organization-members-store.ts'
import type { OrganizationMember } from './schema.ts'
import {
  listMemberships,
  listUsersWithProjects,
  listViewed,
  type UserWithProjects,
} from './store.ts'

/** Sorted by name, each with those projects that the caller can see too. Searches in memory: users are few, and SQLite folds only ASCII case. */
export async function listOrganizationMembers(
  db: Db,
  { memberOf, level }: Principal,
  search: string | undefined,
  { limit, offset }: PageRange,
): Promise<Slice<OrganizationMember>> {
  const needle = (search ?? '').trim().toLowerCase()
  const found = (await listUsersWithProjects(db)).filter(({ user }) =>
    `${user.first_name} ${user.last_name}\n${user.email}`.toLowerCase().includes(needle),
  )
  const shown = found.slice(offset, offset + limit)
  return {
    count: found.length,
    results: shown.map((member) =>
      toOrganizationMember(
        {
          ...member,
          memberships: member.memberships.filter(({ project_id }) => memberOf.has(project_id)),
        },
        level >= ADMIN_LEVEL,
      ),
    ),
  }
}

export function patchOrganizationMember(
  db: Db,
  caller: Caller,
  uuid: string,
  level: OrganizationLevel,
): Promise<OrganizationMember> {
  return changeAccess(db, async (tx) => {
    const user = await getMember(tx, uuid)
    requireCanChangeLevel(caller.level, user.level, level)
    if (user.level === ORGANIZATION_LEVELS.owner && level < ORGANIZATION_LEVELS.owner)
      await requireAnotherOwner(tx)
    const after = await updateLevel(tx, user.id, level)
    // their pending invites may grant a level that they can no longer grant
    if (level < user.level) await deleteInvitesBy(tx, user.id)
    const memberships = await listMemberships(tx, user.id)
    const hasFactor = await hasSecondFactor(tx, user.id)
    return toOrganizationMember({ user: after, memberships, hasSecondFactor: hasFactor }, true)
  })
}

/** Deletes their keys, memberships and invites. Their work stays under their name. */
export function removeOrganizationMember(db: Db, caller: Caller, uuid: string): Promise<void> {
  return changeAccess(db, async (tx) => {
    const user = await getMember(tx, uuid)
    requireCanChangeLevel(caller.level, user.level, ORGANIZATION_LEVELS.member)
    if (user.level === ORGANIZATION_LEVELS.owner) await requireAnotherOwner(tx)
    await revokeAccess(tx, user)
  })
}

export function leaveOrganization(db: Db, { userId }: Caller): Promise<void> {
  return changeAccess(db, async (tx) => {
    const user = await findUser(tx, userId)
    if (!user || user.removed_at !== null) throw notFound() // another of their sessions left first
    if (user.level === ORGANIZATION_LEVELS.owner && (await countOwners(tx)) === 1) {
      throw conflict('You are the last owner. Make someone else an owner before you leave.')
    }
    await revokeAccess(tx, user)
  })
}

export async function getMember(db: Db, reference: string): Promise<UserRow> {
  const uuid = toUuid(reference)
  const user = uuid && (await findUserByUuid(db, uuid))
  if (!user || user.removed_at !== null) throw notFound()
  return user
}

export async function requireAnotherOwner(tx: Tx): Promise<void> {
  if ((await countOwners(tx)) > 1) return
  throw conflict('This is the last owner. Make someone else an owner first.')
}

/** Only admins see who lacks a second factor. */
const toOrganizationMember = (
  { user, memberships, hasSecondFactor: has }: UserWithProjects,
  isForAdmin: boolean,
): OrganizationMember => ({
  id: user.uuid,
  user: toUser(user),
  level: user.level,
  projects: memberships.map(({ project_id }) => project_id),
  viewer_of: listViewed(user, memberships),
  joined_at: user.created_at,
  is_2fa_enabled: isForAdmin ? has : null,
})
