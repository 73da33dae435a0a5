import { countRows } from '#server/db/count-rows.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import type { Session } from './schema.ts'

export async function listSessions(
  db: Db,
  userId: number,
  current: string,
  { limit, offset }: PageRange,
): Promise<Slice<Session>> {
  const live = db
    .selectFrom('sessions')
    .where('user_id', '=', userId)
    .where('expires_at', '>', now())
  const rows = await live
    .selectAll()
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  const count = await countRows(live)
  const results = rows.map(({ hash: _, user_id: __, is_from_provider: ___, ...row }) => ({
    ...row,
    is_current: row.id === current,
  }))
  return { count, results }
}

/** Returns whether the session existed. */
export async function deleteSession(db: Db, userId: number, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteSessions(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
}

export async function deleteOtherSessions(db: Db, userId: number, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '!=', id).execute()
}
