import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { countRows } from '#server/db/count-rows.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { containsText } from '#server/db/search-key.ts'

type Columns = Selectable<Schema['comments']>

export interface CommentRow extends Columns {
  /** The UUID of the comment that begins its thread; null: this one does. */
  readonly thread_uuid: string | null
  readonly thread_deleted: number | null
}

export interface CommentMatch {
  readonly dashboardId?: number | undefined
  readonly threadId?: number | undefined
  readonly search?: string | undefined
  readonly completed?: 'any' | 'open' | 'completed' | undefined
}

/** Selects the comments on dashboards that are not in the trash. */
const selectComments = (db: Db, projectId: number) =>
  db
    .selectFrom('comments')
    .innerJoin('dashboards', 'dashboards.id', 'comments.dashboard_id')
    .leftJoin('comments as thread', 'thread.id', 'comments.thread_id')
    .where('comments.project_id', '=', projectId)
    .where('dashboards.deleted', '=', 0)

/** A comment is gone with the one that begins its thread. */
const isThere = sql<boolean>`(comments.deleted = 0 and coalesce(thread.deleted, 0) = 0)`

type Comments = ReturnType<typeof selectComments>

const withThread = (comments: Comments) =>
  comments
    .selectAll('comments')
    .select(['thread.uuid as thread_uuid', 'thread.deleted as thread_deleted'])

function matching(
  comments: Comments,
  { dashboardId, threadId, search = '', completed = 'any' }: CommentMatch,
): Comments {
  const completedAt = sql`coalesce(comments.completed_at, thread.completed_at)`
  return comments
    .where(isThere)
    .where(containsText(sql.ref('comments.search_key'), search))
    .$if(dashboardId !== undefined, (found) =>
      found.where('comments.dashboard_id', '=', dashboardId as number),
    )
    .$if(threadId !== undefined, (found) =>
      found.where('comments.thread_id', '=', threadId as number),
    )
    .$if(completed === 'open', (found) => found.where(sql<boolean>`${completedAt} is null`))
    .$if(completed === 'completed', (found) =>
      found.where(sql<boolean>`${completedAt} is not null`),
    )
}

/** Lists comments, the newest first. */
export async function listCommentRows(
  db: Db,
  projectId: number,
  match: CommentMatch,
  { limit, offset }: PageRange,
): Promise<Slice<CommentRow>> {
  const matches = matching(selectComments(db, projectId), match)
  const results = await withThread(matches)
    .orderBy('comments.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { count: await countRows(matches), results }
}

export const countComments = (db: Db, projectId: number, match: CommentMatch): Promise<number> =>
  countRows(matching(selectComments(db, projectId), match))

/** Counts all comments on a dashboard, also those that were deleted. */
export const countStoredComments = (db: Db, dashboardId: number): Promise<number> =>
  countRows(db.selectFrom('comments').where('dashboard_id', '=', dashboardId))

/** Finds a comment, even a deleted one. */
export const findComment = (
  db: Db,
  projectId: number,
  uuid: string,
): Promise<CommentRow | undefined> =>
  withThread(selectComments(db, projectId)).where('comments.uuid', '=', uuid).executeTakeFirst()

export const insertComment = (tx: Tx, row: Insertable<Schema['comments']>) =>
  tx.insertInto('comments').values(row).returning('id').executeTakeFirstOrThrow()

export const updateComment = (
  tx: Tx,
  { project_id, id }: CommentRow,
  columns: Updateable<Schema['comments']>,
) =>
  tx
    .updateTable('comments')
    .set(columns)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()

/** Lists the users whom comments mention, by the ID of the comment. */
export async function listMentionedUsers(
  db: Db,
  comments: readonly number[],
): Promise<ReadonlyMap<number, number[]>> {
  if (comments.length === 0) return new Map()
  const rows = await db
    .selectFrom('comment_mentions')
    .select(['comment_id', 'user_id'])
    .where('comment_id', 'in', comments)
    .orderBy('id')
    .execute()
  const byComment = Map.groupBy(rows, ({ comment_id }) => comment_id)
  return new Map([...byComment].map(([id, mentions]) => [id, mentions.map((row) => row.user_id)]))
}

export const insertMentions = (tx: Tx, rows: Insertable<Schema['comment_mentions']>[]) =>
  tx.insertInto('comment_mentions').values(rows).execute()

export const deleteMentions = (tx: Tx, commentId: number, users: readonly number[]) =>
  tx
    .deleteFrom('comment_mentions')
    .where('comment_id', '=', commentId)
    .where('user_id', 'in', users)
    .execute()

/** Selects the mentions of a user in the projects that they can reach. */
const selectMentions = (db: Db, userId: number, projects: readonly number[]) =>
  db
    .selectFrom('comment_mentions')
    .innerJoin('comments', 'comments.id', 'comment_mentions.comment_id')
    .innerJoin('dashboards', 'dashboards.id', 'comments.dashboard_id')
    .innerJoin('projects', 'projects.id', 'comment_mentions.project_id')
    .leftJoin('comments as thread', 'thread.id', 'comments.thread_id')
    .where('comment_mentions.user_id', '=', userId)
    .where('comment_mentions.project_id', 'in', projects)
    .where('dashboards.deleted', '=', 0)
    .where(isThere)

/** Lists the mentions of a user, the newest first. */
export async function listMentionRows(
  db: Db,
  { userId, projects }: { readonly userId: number; readonly projects: readonly number[] },
  { unread }: { readonly unread: boolean },
  { limit, offset }: PageRange,
) {
  const matches = selectMentions(db, userId, projects).$if(unread, (found) =>
    found.where('comment_mentions.read_at', 'is', null),
  )
  const results = await matches
    .select(['comment_mentions.id', 'comment_mentions.created_at', 'comment_mentions.read_at'])
    .select(['comments.uuid', 'comments.content', 'comments.created_by'])
    .select(['comments.created_at as commented_at', 'comments.dashboard_id'])
    .select(['dashboards.name as dashboard_name', 'projects.name as project_name'])
    .select('comment_mentions.project_id')
    .orderBy('comment_mentions.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { count: await countRows(matches), results }
}

export async function markMentionsRead(
  db: Db,
  userId: number,
  { ids, at }: { readonly ids: readonly number[] | undefined; readonly at: string },
): Promise<void> {
  if (ids?.length === 0) return
  await db
    .updateTable('comment_mentions')
    .set({ read_at: at })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .$if(ids !== undefined, (found) => found.where('id', 'in', ids as number[]))
    .execute()
}
