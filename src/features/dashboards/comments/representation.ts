import type { Db } from '#server/db/schema.ts'
import { listUserTexts } from '#server/features/accounts/users/user-texts.ts'
import type { JsonText } from '#server/http/json-text.ts'
import { commentResource } from './fields.ts'
import { type CommentRow, listMentionedUsers } from './store.ts'

export async function toComment(db: Db, row: CommentRow): Promise<JsonText> {
  const [comment] = await toComments(db, [row])
  return comment as JsonText
}

export async function toComments(db: Db, rows: readonly CommentRow[]): Promise<JsonText[]> {
  const involved = rows.flatMap(({ created_by, completed_by }) => [created_by, completed_by])
  const users = await listUserTexts(db, involved)
  const mentions = await listMentionedUsers(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => commentResource.toText(row, { users, mentions }))
}
