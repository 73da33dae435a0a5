import { changeAccess } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { chunksOf, MAX_VALUES_PER_STATEMENT, now, uuid } from '#server/db/values.ts'
import { notFound } from '#server/errors.ts'
import { toUuid } from '#server/http/ids.ts'
import { followGroups } from '../provisioning/follow-groups.ts'
import { findUser } from '../users/store.ts'
import { ScimError } from './errors.ts'
import type { GroupChanges, MemberStep } from './group-changes.ts'
import {
  deleteGroup,
  deleteGroupMembers,
  findGroup,
  insertGroup,
  insertGroupMembers,
  listGroupMembers,
  listGroupNames,
  type ScimGroupRow,
  updateGroup,
} from './groups-store.ts'
import type { ScimDeps } from './users.ts'
import { listUserIds } from './users-store.ts'

export async function getGroup(db: Db, id: string): Promise<ScimGroupRow> {
  const found = toUuid(id)
  const group = found && (await findGroup(db, found))
  if (!group) throw notFound('Group')
  return group
}

export function createGroup(deps: ScimDeps, changes: GroupChanges): Promise<ScimGroupRow> {
  return changeAccess(deps.db, async (tx) => {
    const row = { id: uuid(), display_name: '', external_id: null, created_at: now() }
    await insertGroup(tx, row)
    return applyChanges(tx, deps, row, changes)
  })
}

/** Members get the levels and projects of the group's name, and lose them with it. */
export const changeGroup = (
  deps: ScimDeps,
  id: string,
  changes: GroupChanges,
): Promise<ScimGroupRow> =>
  changeAccess(deps.db, async (tx) => applyChanges(tx, deps, await getGroup(tx, id), changes))

export const removeGroup = (deps: ScimDeps, id: string): Promise<void> =>
  changeAccess(deps.db, async (tx) => {
    const group = await getGroup(tx, id)
    const members = await listMemberIds(tx, group.id)
    await deleteGroup(tx, group.id)
    await updateUsers(tx, deps, members)
  })

async function applyChanges(
  tx: Tx,
  deps: ScimDeps,
  before: ScimGroupRow,
  { displayName, externalId, members }: GroupChanges,
): Promise<ScimGroupRow> {
  const after = {
    ...before,
    display_name: displayName ?? before.display_name,
    external_id: externalId === undefined ? before.external_id : externalId,
  }
  await updateGroup(tx, before.id, after)
  const was = await listMemberIds(tx, before.id)
  const is = await applySteps(tx, was, members)
  const joined = [...is.difference(was)]
  const left = [...was.difference(is)]
  await insertGroupMembers(tx, before.id, joined)
  await deleteGroupMembers(tx, before.id, left)
  const isRenamed = after.display_name !== before.display_name
  await updateUsers(tx, deps, isRenamed ? was.union(is) : [...joined, ...left])
  return after
}

async function applySteps(
  tx: Tx,
  before: ReadonlySet<number>,
  steps: readonly MemberStep[],
): Promise<ReadonlySet<number>> {
  let members = before
  for (const { op, ids } of steps) {
    const found = await findUsers(tx, ids, op !== 'remove')
    if (op === 'add') members = members.union(found)
    else members = op === 'remove' ? members.difference(found) : found
  }
  return members
}

/** Someone who is no user any more can be removed, but not added. */
async function findUsers(
  tx: Tx,
  ids: readonly string[],
  areRequired: boolean,
): Promise<ReadonlySet<number>> {
  const found = new Map<string, number>()
  for (const part of chunksOf(ids, MAX_VALUES_PER_STATEMENT)) {
    for (const { uuid: each, id } of await listUserIds(tx, part)) found.set(each, id)
  }
  const unknown = areRequired ? ids.find((id) => !found.has(id)) : undefined
  if (unknown)
    throw new ScimError('invalidValue', `members: there is no user with the id ${unknown}.`)
  return new Set(found.values())
}

async function listMemberIds(tx: Tx, groupId: string): Promise<ReadonlySet<number>> {
  return new Set((await listGroupMembers(tx, [groupId])).map(({ user_id }) => user_id))
}

async function updateUsers(
  tx: Tx,
  { groupRules }: ScimDeps,
  users: Iterable<number>,
): Promise<void> {
  if (groupRules.length === 0) return
  for (const id of users) {
    const user = await findUser(tx, id)
    if (user?.removed_at !== null) continue
    await followGroups(tx, groupRules, user, await listGroupNames(tx, id))
  }
}
