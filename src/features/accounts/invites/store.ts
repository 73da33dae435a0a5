import type { Insertable, Selectable } from 'kysely'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Schema } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { listUsersById } from '../users/store.ts'
import type { Invite } from './schema.ts'

export type InviteRow = Selectable<Schema['invites']>

const selectValid = (db: Db) => db.selectFrom('invites').selectAll().where('expires_at', '>', now())

export async function listInvites(db: Db, { limit, offset }: PageRange): Promise<Slice<Invite>> {
  const rows = await selectValid(db).orderBy('created_at', 'desc').orderBy('id').execute()
  const wanted = rows.slice(offset, offset + limit)
  return { count: rows.length, results: await toInvites(db, wanted) }
}

export const findInvite = (db: Db, hash: string): Promise<InviteRow | undefined> =>
  selectValid(db).where('hash', '=', hash).executeTakeFirst()

export const insertInvite = (db: Db, row: Insertable<Schema['invites']>): Promise<InviteRow> =>
  db.insertInto('invites').values(row).returningAll().executeTakeFirstOrThrow()

/** Returns whether the invite existed. */
export async function deleteInvite(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('invites')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function deleteExpiredInvites(db: Db): Promise<void> {
  await db.deleteFrom('invites').where('expires_at', '<=', now()).execute()
}

export async function toInvites(db: Db, rows: readonly InviteRow[]): Promise<Invite[]> {
  const users = await listUsersById(
    db,
    rows.map(({ created_by }) => created_by),
  )
  return rows.map((row) => {
    const { id, email, level, projects, access_level, created_by, created_at, expires_at } = row
    const creator = users.get(created_by)
    if (!creator) throw new Error(`The invite ${id} has no creator`)
    return {
      id,
      email,
      level,
      projects: JSON.parse(projects),
      access_level,
      created_by: creator,
      created_at,
      expires_at,
    }
  })
}
