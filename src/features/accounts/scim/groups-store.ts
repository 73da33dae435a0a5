import type { Selectable } from 'kysely'
import { countRows } from '#server/db/count-rows.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { chunksOf, MAX_VALUES_PER_STATEMENT } from '#server/db/values.ts'
import type { Filter } from './filter.ts'

export type ScimGroupRow = Selectable<Schema['scim_groups']>

export async function listGroups(
  db: Db,
  filter: Filter | undefined,
  { limit, offset }: PageRange,
): Promise<Slice<ScimGroupRow>> {
  const column = filter?.attribute === 'externalId' ? 'external_id' : 'display_name'
  const all = db.selectFrom('scim_groups')
  const groups = filter ? all.where(column, '=', filter.value) : all
  const page = groups.selectAll().orderBy('created_at').orderBy('id').limit(limit).offset(offset)
  return { count: await countRows(groups), results: await page.execute() }
}

export const findGroup = (db: Db, id: string): Promise<ScimGroupRow | undefined> =>
  db.selectFrom('scim_groups').selectAll().where('id', '=', id).executeTakeFirst()

export async function insertGroup(tx: Tx, row: ScimGroupRow): Promise<void> {
  await tx.insertInto('scim_groups').values(row).execute()
}

export async function updateGroup(
  tx: Tx,
  id: string,
  names: Pick<ScimGroupRow, 'display_name' | 'external_id'>,
): Promise<void> {
  await tx.updateTable('scim_groups').set(names).where('id', '=', id).execute()
}

export async function deleteGroup(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('scim_groups').where('id', '=', id).execute()
}

export interface GroupMember {
  readonly group_id: string
  readonly user_id: number
  readonly uuid: string
  readonly email: string
}

/** Lists the members of a few groups, without users whom the identity provider has deleted. */
export function listGroupMembers(db: Db, groups: readonly string[]): Promise<GroupMember[]> {
  if (groups.length === 0) return Promise.resolve([])
  return db
    .selectFrom('scim_group_members')
    .innerJoin('users', 'users.id', 'scim_group_members.user_id')
    .select(['group_id', 'user_id', 'uuid', 'email'])
    .where('group_id', 'in', groups)
    .orderBy('user_id')
    .execute()
}

/** Lists the names of the groups that a user is in. */
export async function listGroupNames(db: Db, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('scim_group_members')
    .innerJoin('scim_groups', 'scim_groups.id', 'group_id')
    .select('display_name')
    .where('user_id', '=', userId)
    .execute()
  return rows.map(({ display_name }) => display_name)
}

export async function insertGroupMembers(
  tx: Tx,
  group_id: string,
  users: readonly number[],
): Promise<void> {
  for (const part of chunksOf(users, MAX_VALUES_PER_STATEMENT / 2)) {
    const rows = part.map((user_id) => ({ group_id, user_id }))
    await tx.insertInto('scim_group_members').values(rows).execute()
  }
}

export async function deleteGroupMembers(
  tx: Tx,
  groupId: string,
  users: readonly number[],
): Promise<void> {
  for (const part of chunksOf(users, MAX_VALUES_PER_STATEMENT / 2)) {
    await tx
      .deleteFrom('scim_group_members')
      .where('group_id', '=', groupId)
      .where('user_id', 'in', part)
      .execute()
  }
}
