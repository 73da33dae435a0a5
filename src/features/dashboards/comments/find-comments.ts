import type { Caller } from '#server/access/guard.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { notFound } from '#server/errors.ts'
import { toId, toUuid } from '#server/http/ids.ts'
import type { JsonText } from '#server/http/json-text.ts'
import { toComment, toComments } from './representation.ts'
import type { CommentFilters } from './schema.ts'
import {
  type CommentMatch,
  type CommentRow,
  countComments,
  findComment,
  listCommentRows,
} from './store.ts'

export async function listComments(
  db: Db,
  { projectId }: Caller,
  filters: CommentFilters,
  range: PageRange,
): Promise<Slice<JsonText>> {
  const match = await toMatch(db, projectId, filters)
  if (!match) return { count: 0, results: [] }
  const { count, results } = await listCommentRows(db, projectId, match, range)
  return { count, results: await toComments(db, results) }
}

export async function countMatching(
  db: Db,
  { projectId }: Caller,
  filters: CommentFilters,
): Promise<number> {
  const match = await toMatch(db, projectId, filters)
  return match ? countComments(db, projectId, match) : 0
}

/** Returns undefined if no comment can match. */
async function toMatch(
  db: Db,
  projectId: number,
  { item_id, source_comment, search, completed }: CommentFilters,
): Promise<CommentMatch | undefined> {
  const dashboardId = item_id === undefined ? undefined : toId(String(item_id))
  if (item_id !== undefined && dashboardId === undefined) return undefined
  if (source_comment === undefined) return { dashboardId, search, completed }
  const thread = await findByReference(db, projectId, source_comment)
  return thread && { dashboardId, threadId: thread.id, search, completed }
}

export const findByReference = async (
  db: Db,
  projectId: number,
  reference: string,
): Promise<CommentRow | undefined> => {
  const id = toUuid(reference)
  return id === undefined ? undefined : findComment(db, projectId, id)
}

export const isGone = ({ deleted, thread_deleted }: CommentRow): boolean =>
  deleted === 1 || thread_deleted === 1

export async function getCommentRow(
  db: Db,
  { projectId }: Caller,
  id: string,
): Promise<CommentRow> {
  const row = await findByReference(db, projectId, id)
  if (!row || isGone(row)) throw notFound('Comment')
  return row
}

export const getComment = async (db: Db, caller: Caller, id: string): Promise<JsonText> =>
  toComment(db, await getCommentRow(db, caller, id))

/** Lists the replies of a comment. */
export async function listThread(
  db: Db,
  caller: Caller,
  id: string,
  range: PageRange,
): Promise<Slice<JsonText>> {
  const { uuid: source_comment, thread_uuid } = await getCommentRow(db, caller, id)
  return listComments(db, caller, { source_comment: thread_uuid ?? source_comment }, range)
}
