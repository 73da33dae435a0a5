import type { Plugin } from '../plugins/schema.ts'
import { listSettings, SECRET_MASK } from '../setting-rules.ts'
import type { Attachment } from './schema.ts'
import type { AttachmentRow } from './store.ts'

/** Returns only the files that the app's schema describes: others might be secrets. */
export const visibleAttachments = (
  rows: readonly AttachmentRow[],
  plugin: Plugin | undefined,
): Attachment[] =>
  listSettings(plugin)
    .filter(({ type }) => type === 'attachment')
    .flatMap(({ key, secret }) => {
      const row = rows.find((known) => known.key === key)
      return row ? [secret ? toMasked(row) : toAttachment(row)] : []
    })

const toAttachment = (row: AttachmentRow): Attachment => ({
  key: row.key,
  uid: row.id,
  name: row.file_name,
  type: row.content_type,
  size: row.size,
  created_at: row.created_at,
})

const toMasked = (row: AttachmentRow): Attachment => ({
  ...toAttachment(row),
  name: SECRET_MASK,
  type: 'application/octet-stream',
  size: -1,
})

/** Returns the files by key in the shape that clients expect in `config`. */
export const toConfigAttachments = (
  rows: readonly AttachmentRow[],
  plugin: Plugin | undefined,
): Record<string, object> =>
  Object.fromEntries(
    visibleAttachments(rows, plugin).map(({ key, uid, size, name, type }) => [
      key,
      { uid, saved: true, size, name, type },
    ]),
  )

export function toVisibleName(row: AttachmentRow, plugin: Plugin | undefined): string {
  const setting = listSettings(plugin).find(({ key }) => key === row.key)
  return setting && !setting.secret ? row.file_name : SECRET_MASK
}
