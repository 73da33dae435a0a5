import type { Caller } from '#server/access/guard.ts'
import { ADMIN_LEVEL } from '#server/access/keys.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { toSearchKey } from '#server/db/search-key.ts'
import { flag, now, uuid } from '#server/db/values.ts'
import { conflict, doesNotExist, forbidden, invalid, notFound, required } from '#server/errors.ts'
import { listUsersWithAccess } from '#server/features/accounts/members/store.ts'
import { toChange } from '#server/features/activity/store.ts'
import { toId } from '#server/http/ids.ts'
import type { JsonText } from '#server/http/json-text.ts'
import { requireName } from '#server/http/names.ts'
import { requireUnderstood } from '#server/http/require-understood.ts'
import { requireTime } from '#server/http/times.ts'
import { logDashboard } from '../dashboards/activity.ts'
import { type DashboardRow, findDashboard } from '../dashboards/store.ts'
import { findTile } from '../tiles/store.ts'
import { ContextWrite, MAX_CONTENT } from './fields.ts'
import { findByReference, getCommentRow, isGone } from './find-comments.ts'
import { toComment } from './representation.ts'
import type { CommentCreate, CommentPatch } from './schema.ts'
import {
  type CommentRow,
  countStoredComments,
  deleteMentions,
  insertComment,
  insertMentions,
  listMentionedUsers,
  updateComment,
} from './store.ts'

/** More than anyone reads. */
const MAX_OF_DASHBOARD = 10_000

/** A comment as JSON, and the users to tell that it mentions them. */
export interface Written {
  readonly comment: JsonText
  readonly id: string
  readonly content: string
  readonly dashboard: Pick<DashboardRow, 'id' | 'name'>
  /** Those whom the comment did not mention before. */
  readonly mentioned: readonly { readonly id: number; readonly email: string }[]
}

export function createComment(db: Db, caller: Caller, body: CommentCreate): Promise<Written> {
  const content = requireContent(body.content)
  requireUnderstood(ContextWrite, body.item_context, 'item_context')
  if (body.is_task) throw invalid('is_task', 'There are no tasks. Threads are resolved instead.')
  return changeProject(db, caller.projectId, async (tx) => {
    const { dashboard, ...place } = await requirePlace(tx, caller, body)
    if ((await countStoredComments(tx, dashboard.id)) >= MAX_OF_DASHBOARD) {
      throw conflict(`The dashboard has ${MAX_OF_DASHBOARD.toLocaleString('en')} comments.`)
    }
    const id = uuid()
    await insertComment(tx, {
      uuid: id,
      project_id: caller.projectId,
      dashboard_id: dashboard.id,
      ...place,
      ...content,
      created_by: caller.userId,
      created_at: now(),
    })
    const row = await getCommentRow(tx, caller, id)
    const mentioned = await saveMentions(tx, row, body.mentions)
    await log(tx, caller, dashboard, 'commented', toChange('Comment', 'comment', null, row.content))
    return toWritten(tx, row, dashboard, mentioned)
  })
}

/** Changes the content of an own comment, or deletes it. Admins can delete every comment. */
export function patchComment(
  db: Db,
  caller: Caller,
  { id, body }: { readonly id: string; readonly body: CommentPatch },
): Promise<Written> {
  const content = body.content === undefined ? {} : requireContent(body.content)
  return changeProject(db, caller.projectId, async (tx) => {
    const before = await findByReference(tx, caller.projectId, id)
    // only its author can restore a deleted comment
    const isRestored = before?.deleted === 1 && body.deleted === false
    if (!before || (isGone(before) && !isRestored)) throw notFound('Comment')
    requireRight(caller, before, body)
    const changed = { ...before, ...content, deleted: flag(body.deleted) ?? before.deleted }
    const isEdited = changed.content !== before.content
    const after = { ...changed, version: before.version + (isEdited ? 1 : 0) }
    const { version, deleted } = after
    await updateComment(tx, before, { ...content, version, deleted })
    const mentioned = deleted ? [] : await saveMentions(tx, before, body.mentions)
    const dashboard = await getDashboard(tx, caller, before.dashboard_id)
    if (isEdited) {
      const change = toChange('Comment', 'comment', before.content, after.content)
      await log(tx, caller, dashboard, 'comment edited', change)
    }
    if (before.deleted !== deleted) {
      const [from, to] = deleted ? [after.content, null] : [null, after.content]
      const activity = deleted ? 'comment deleted' : 'comment restored'
      await log(tx, caller, dashboard, activity, toChange('Comment', 'comment', from, to))
    }
    return toWritten(tx, after, dashboard, mentioned)
  })
}

/** Resolves a thread, or opens it again. */
export function completeThread(
  db: Db,
  caller: Caller,
  { id, isCompleted }: { readonly id: string; readonly isCompleted: boolean },
): Promise<JsonText> {
  return changeProject(db, caller.projectId, async (tx) => {
    const before = await getCommentRow(tx, caller, id)
    if (before.thread_id !== null) {
      throw invalid(null, 'This is a reply. Resolve the comment that begins its thread.')
    }
    if ((before.completed_at !== null) !== isCompleted) {
      await updateComment(
        tx,
        before,
        isCompleted
          ? { completed_at: now(), completed_by: caller.userId }
          : { completed_at: null, completed_by: null },
      )
      const dashboard = await getDashboard(tx, caller, before.dashboard_id)
      const activity = isCompleted ? 'comment resolved' : 'comment reopened'
      const change = toChange('Comment', 'comment', before.content, before.content)
      await log(tx, caller, dashboard, activity, change)
    }
    return toComment(tx, await getCommentRow(tx, caller, id))
  })
}

const log = (
  tx: Tx,
  caller: Caller,
  dashboard: DashboardRow,
  activity: string,
  change: ReturnType<typeof toChange>,
): Promise<void> => logDashboard(tx, caller, dashboard, activity, [change])

function requireContent(text: string) {
  const content = requireName('content', text, MAX_CONTENT)
  return { content, search_key: toSearchKey({ name: content, description: '' }) }
}

function requireRight(caller: Caller, { created_by }: CommentRow, body: CommentPatch): void {
  const changes = Object.keys(body)
  if (created_by === caller.userId || changes.length === 0) return
  const isDeletion = body.deleted === true && changes.length === 1
  if (isDeletion && caller.level >= ADMIN_LEVEL) return
  throw forbidden(
    'You can only change your own comments. Admins can also delete the comments of others.',
  )
}

/** Finds what is commented on: a dashboard and perhaps one of its tiles, or that of the comment replied to. */
async function requirePlace(tx: Tx, caller: Caller, body: CommentCreate) {
  const dashboardId = body.item_id === undefined ? undefined : toId(String(body.item_id))
  if (body.item_id !== undefined && dashboardId === undefined) {
    throw doesNotExist('item_id', body.item_id)
  }
  if (body.source_comment) {
    const source = await findByReference(tx, caller.projectId, body.source_comment)
    if (!source || isGone(source)) throw doesNotExist('source_comment', body.source_comment)
    if (dashboardId !== undefined && dashboardId !== source.dashboard_id) {
      throw invalid('item_id', 'A reply is on the dashboard of the comment it replies to.')
    }
    if (body.item_context) {
      throw invalid('item_context', 'A reply is on the tile of the comment it replies to.')
    }
    return {
      dashboard: await getDashboard(tx, caller, source.dashboard_id),
      tile_id: source.tile_id,
      point: source.point,
      thread_id: source.thread_id ?? source.id,
    }
  }
  if (body.scope === undefined) throw required('scope')
  if (dashboardId === undefined) throw required('item_id')
  const dashboard = await findDashboard(tx, caller, dashboardId)
  if (!dashboard || dashboard.deleted) throw doesNotExist('item_id', dashboardId)
  const { tile_id = null, point } = body.item_context ?? {}
  if (tile_id !== null) {
    const tile = await findTile(tx, caller.projectId, dashboardId, tile_id)
    if (!tile || tile.deleted) throw doesNotExist('item_context__tile_id', tile_id)
  }
  return {
    dashboard,
    tile_id,
    point: requireTime('item_context__point', point ?? undefined) ?? null,
    thread_id: null,
  }
}

async function getDashboard(tx: Tx, caller: Caller, id: number): Promise<DashboardRow> {
  const dashboard = await findDashboard(tx, caller, id)
  if (!dashboard) throw notFound('Dashboard')
  return dashboard
}

/** Replaces the mentions of a comment and returns the users whom it did not mention before. */
async function saveMentions(
  tx: Tx,
  { id, project_id }: CommentRow,
  sent: readonly number[] | undefined,
): Promise<Written['mentioned']> {
  if (sent === undefined) return []
  const users = await listUsersWithAccess(tx, project_id, sent)
  const missing = sent.find((wanted) => !users.some((user) => user.id === wanted))
  if (missing !== undefined) throw doesNotExist('mentions', missing)
  const before = (await listMentionedUsers(tx, [id])).get(id) ?? []
  const removed = before.filter((user) => !sent.includes(user))
  if (removed.length > 0) await deleteMentions(tx, id, removed)
  const added = users.filter((user) => !before.includes(user.id))
  const created_at = now()
  const rows = added.map((user) => ({ project_id, comment_id: id, user_id: user.id, created_at }))
  if (rows.length > 0) await insertMentions(tx, rows)
  return added
}

async function toWritten(
  db: Db,
  row: CommentRow,
  { id, name }: DashboardRow,
  mentioned: Written['mentioned'],
): Promise<Written> {
  const comment = await toComment(db, row)
  return { comment, id: row.uuid, content: row.content, dashboard: { id, name }, mentioned }
}
