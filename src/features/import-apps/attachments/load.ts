import type { Db } from '#server/db/schema.ts'
import type { AppAttachment } from '#server/runtime/contract.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { type AttachmentRow, findChunk, listAttachmentRows } from './store.ts'

/** Returns the files of a config by key. Their contents are read on demand, in chunks. */
export async function loadAttachments(
  db: Db,
  secrets: Secrets,
  configId: number,
): Promise<Readonly<Record<string, AppAttachment>>> {
  const rows = await listAttachmentRows(db, [configId])
  return Object.fromEntries(
    rows.map((row) => [
      row.key,
      {
        content_type: row.content_type,
        file_name: row.file_name,
        size: row.size,
        read: () => readAttachment(db, secrets, row),
      },
    ]),
  )
}

async function* readAttachment(
  db: Db,
  secrets: Secrets,
  { id, size, file_name }: AttachmentRow,
): AsyncIterable<Uint8Array> {
  let read = 0
  for (let position = 0; read < size; position++) {
    const chunk = await findChunk(db, secrets, id, position)
    if (!chunk) throw new Error(`The file "${file_name}" was replaced while it was read.`)
    read += chunk.length
    yield chunk
  }
}
