import type { Principal } from '#server/access/keys.ts'
import { changeUncached } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { listUsersById } from '#server/features/accounts/users/store.ts'
import type { Mention } from './schema.ts'
import { listMentionRows, markMentionsRead } from './store.ts'

/** Lists the comments that mention the user, in the projects that they can reach. */
export async function listMentions(
  db: Db,
  { userId, memberOf }: Principal,
  filters: { readonly unread: boolean },
  range: PageRange,
): Promise<Slice<Mention>> {
  const projects = [...memberOf]
  if (projects.length === 0) return { count: 0, results: [] }
  const { count, results } = await listMentionRows(db, { userId, projects }, filters, range)
  const authors = await listUsersById(
    db,
    results.map(({ created_by }) => created_by),
  )
  return {
    count,
    results: results.map((row) => ({
      id: row.id,
      comment: {
        id: row.uuid,
        content: row.content,
        created_by: authors.get(row.created_by ?? 0) ?? null,
        created_at: row.commented_at,
      },
      dashboard: { id: row.dashboard_id, name: row.dashboard_name },
      project: { id: row.project_id, name: row.project_name },
      created_at: row.created_at,
      read_at: row.read_at,
    })),
  }
}

/** Marks mentions of the user as read, all of them without `ids`. */
export const readMentions = (
  db: Db,
  { userId }: Principal,
  ids: readonly number[] | undefined,
): Promise<void> => changeUncached(db, (tx) => markMentionsRead(tx, userId, { ids, at: now() }))
