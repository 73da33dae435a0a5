import type { Selectable } from 'kysely'
import { countRows } from '#server/db/count-rows.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import type { UserRow } from '../users/store.ts'
import type { Filter } from './filter.ts'

type ScimUserRow = Selectable<Schema['scim_users']>

export interface ScimUser {
  readonly user: UserRow
  /** undefined: no identity provider has changed the user. */
  readonly scim: ScimUserRow | undefined
}

/** Users who left are known to the identity provider that manages them, until it deletes them. */
const selectUsers = (db: Db) =>
  db
    .selectFrom('users')
    .leftJoin('scim_users', 'scim_users.user_id', 'users.id')
    .where((eb) => eb.or([eb('removed_at', 'is', null), eb('scim_users.user_id', 'is not', null)]))

const selectColumns = (db: Db) =>
  selectUsers(db)
    .selectAll('users')
    .select(['scim_users.user_id', 'user_name', 'user_name_key', 'external_id'])

type Row = Awaited<ReturnType<ReturnType<typeof selectColumns>['executeTakeFirstOrThrow']>>

function toScimUser({ user_id, user_name, user_name_key, external_id, ...user }: Row): ScimUser {
  if (user_id === null || user_name === null || user_name_key === null) {
    return { user, scim: undefined }
  }
  return { user, scim: { user_id, user_name, user_name_key, external_id } }
}

export async function listScimUsers(
  db: Db,
  filter: Filter | undefined,
  { limit, offset }: PageRange,
): Promise<Slice<ScimUser>> {
  const matching = filterUsers(selectUsers(db), filter)
  const rows = await filterUsers(selectColumns(db), filter)
    .orderBy('users.id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { count: await countRows(matching), results: rows.map(toScimUser) }
}

function filterUsers<Query extends ReturnType<typeof selectUsers>>(
  query: Query,
  filter: Filter | undefined,
): Query {
  if (!filter) return query
  const { attribute, value } = filter
  if (attribute === 'externalId') return query.where('external_id', '=', value) as Query
  const key = value.trim().toLowerCase()
  return query.where((eb) => eb(eb.fn.coalesce('user_name_key', 'email_key'), '=', key)) as Query
}

export async function findScimUser(db: Db, uuid: string): Promise<ScimUser | undefined> {
  const row = await selectColumns(db).where('users.uuid', '=', uuid).executeTakeFirst()
  return row && toScimUser(row)
}

/** Finds the user whom an identity provider calls so. */
export const findByUserName = async (db: Db, userName: string): Promise<number | undefined> => {
  const users = db.selectFrom('scim_users').select('user_id')
  const row = await users.where('user_name_key', '=', userName.toLowerCase()).executeTakeFirst()
  return row?.user_id
}

/** Tells whether an identity provider has deactivated a user with this address, and nobody else has it. */
export async function isDeactivated(db: Db, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .innerJoin('scim_users', 'scim_users.user_id', 'users.id')
    .select('users.id')
    .where('removed_at', 'is not', null)
    .where((eb) =>
      eb.or([
        eb(eb.fn<string>('lower', ['email']), '=', email.toLowerCase()),
        eb('user_name_key', '=', email.toLowerCase()),
      ]),
    )
    .executeTakeFirst()
  return row !== undefined
}

export async function saveScimUser(tx: Tx, row: ScimUserRow): Promise<void> {
  await tx
    .insertInto('scim_users')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
}

export async function deleteScimUser(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('scim_group_members').where('user_id', '=', userId).execute()
  await tx.deleteFrom('scim_users').where('user_id', '=', userId).execute()
}

interface Profile {
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly isActive: boolean
}

/** A user who left keeps no address from others. */
export async function updateProfile(
  tx: Tx,
  { id, uuid, email: before }: UserRow,
  { isActive, ...profile }: Profile,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      ...profile,
      email_key: isActive ? profile.email.toLowerCase() : `removed ${uuid}`,
      ...(profile.email !== before && { is_email_verified: 0 as const }),
      ...(isActive && { removed_at: null }),
    })
    .where('id', '=', id)
    .execute()
}

/** Looks up users of the organization by their UUIDs. */
export const listUserIds = (db: Db, uuids: readonly string[]) =>
  uuids.length === 0
    ? Promise.resolve([])
    : selectUsers(db).select(['users.id', 'users.uuid']).where('users.uuid', 'in', uuids).execute()
