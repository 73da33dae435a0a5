import type { Selectable } from 'kysely'
import { compileOnce } from '#server/db/compile-once.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { now, randomText, uuid } from '#server/db/values.ts'
import type { User } from './schema.ts'

export type UserRow = Selectable<Schema['users']>

export interface NewUser {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly level: number
  readonly currentProject: number | null
  readonly passwordHash: string | null
}

export function insertUser(db: Db, user: NewUser) {
  return db
    .insertInto('users')
    .values({
      uuid: uuid(),
      distinct_id: randomText(43),
      first_name: user.firstName,
      last_name: user.lastName,
      email: user.email,
      email_key: user.email.toLowerCase(),
      is_email_verified: 0,
      level: user.level,
      current_project_id: user.currentProject,
      password_hash: user.passwordHash,
      created_at: now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

const selectUser = compileOnce((db: Db, id: number) =>
  db.selectFrom('users').selectAll().where('id', '=', id),
)

export async function findUser(db: Db, id: number): Promise<UserRow | undefined> {
  const [row] = await selectUser(db, id)
  return row
}

/** Returns the user with the highest level, the oldest one if there are several. */
export function getHighestUser(db: Db): Promise<UserRow> {
  return db
    .selectFrom('users')
    .selectAll()
    .orderBy('level', 'desc')
    .orderBy('id')
    .executeTakeFirstOrThrow()
}

export function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  const users = db.selectFrom('users').selectAll()
  return users.where('email_key', '=', email.toLowerCase()).executeTakeFirst()
}

export function findUserByUuid(db: Db, uuid: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('uuid', '=', uuid).executeTakeFirst()
}

/** Looks up the users that records refer to. */
export async function listUsersById(
  db: Db,
  ids: Iterable<number | null>,
): Promise<ReadonlyMap<number, User>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null)
  if (wanted.length === 0) return new Map()
  // all records usually have the same user
  const [only] = wanted
  const rows =
    only !== undefined && wanted.length === 1
      ? await selectUser(db, only)
      : await db.selectFrom('users').selectAll().where('id', 'in', wanted).execute()
  return new Map(rows.map((row) => [row.id, toUser(row)]))
}

/** The columns that `toUser` needs. */
export type UserColumns = Omit<User, 'is_email_verified' | 'hedgehog_config'> &
  Pick<UserRow, 'is_email_verified'>

export const toUser = (row: UserColumns): User => ({
  id: row.id,
  uuid: row.uuid,
  distinct_id: row.distinct_id,
  first_name: row.first_name,
  last_name: row.last_name,
  email: row.email,
  is_email_verified: row.is_email_verified === 1,
  hedgehog_config: {},
})

/** Waits for changes of this user that are not committed yet, and keeps others waiting. */
export async function lockUser(tx: Tx, id: number): Promise<void> {
  await tx.updateTable('users').set({ id }).where('id', '=', id).execute()
}

export async function updatePasswordHash(db: Db, id: number, hash: string): Promise<void> {
  await db.updateTable('users').set({ password_hash: hash }).where('id', '=', id).execute()
}

/** Returns false if the hash was changed in the meantime. Replacing it with itself locks the row. */
export async function replacePasswordHash(
  tx: Tx,
  id: number,
  before: string,
  after: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ password_hash: after })
    .where('id', '=', id)
    .where('password_hash', '=', before)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The fields that users can change themselves; undefined: unchanged. */
export interface UserFields {
  readonly first_name?: string
  readonly last_name?: string
  readonly email?: string
  readonly current_project_id?: number
}

export async function updateUser(db: Db, id: number, fields: UserFields): Promise<void> {
  const { email } = fields
  await db
    .updateTable('users')
    .set({
      ...fields,
      id,
      ...(email && { email_key: email.toLowerCase(), is_email_verified: 0 as const }),
    })
    .where('id', '=', id)
    .execute()
}
