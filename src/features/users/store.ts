import type { Selectable } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import type { User } from './schema.ts'

type UserRow = Selectable<Schema['users']>

export async function findUser(db: Db, id: number): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The people behind some ids, to put into the records that name them. */
export async function listUsersById(
  db: Db,
  ids: Iterable<number | null>,
): Promise<ReadonlyMap<number, User>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null)
  if (wanted.length === 0) return new Map()
  const rows = await db.selectFrom('users').selectAll().where('id', 'in', wanted).execute()
  return new Map(rows.map((row) => [row.id, toUser(row)]))
}

export const toUser = (row: UserRow): User => ({
  id: row.id,
  uuid: row.uuid,
  distinct_id: row.distinct_id,
  first_name: row.first_name,
  last_name: row.last_name,
  email: row.email,
  is_email_verified: row.is_email_verified === 1,
  hedgehog_config: {},
})
