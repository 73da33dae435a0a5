import { changeUncached } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { ApiError, conflict } from '#server/errors.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import {
  type AttachmentRow,
  deleteAbandonedUploads,
  deleteDetached,
  insertChunk,
  insertUpload,
  type NewAttachment,
} from './store.ts'

const CHUNK_BYTES = 1024 * 1024
export const MAX_ATTACHMENT_BYTES = 2 * 1024 ** 3

export const uploadTimedOut = (): ApiError => conflict('The upload took too long. Try again.')

export const fileTooLarge = (): ApiError =>
  new ApiError('request_too_large', 'The file is larger than 2 GiB.')

export interface Upload {
  readonly projectId: number
  readonly file: NewAttachment
  readonly bytes: AsyncIterable<Uint8Array>
  readonly limit?: number
}

/** Stores an upload in chunks. It belongs to no config yet, and is deleted if it is not completed. */
export async function storeUpload(
  { db, secrets }: { readonly db: Db; readonly secrets: Secrets },
  { projectId, file, bytes, limit = MAX_ATTACHMENT_BYTES }: Upload,
): Promise<AttachmentRow> {
  await deleteAbandonedUploads(db)
  let row = await insertUpload(db, projectId, file)
  try {
    let position = 0
    for await (const chunk of toChunks(bytes)) {
      if (row.size + chunk.length > limit) throw fileTooLarge()
      const updated = await changeUncached(db, (tx) =>
        insertChunk(tx, secrets, { id: row.id, position, bytes: chunk }),
      )
      if (!updated) throw uploadTimedOut()
      row = updated
      position++
    }
    return row
  } catch (error) {
    await deleteDetached(db, [row.id])
    throw error
  }
}

/** Regroups the bytes into chunks of equal size, except for the last. */
async function* toChunks(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let buffered: Uint8Array[] = []
  let length = 0
  for await (const part of bytes) {
    buffered.push(part)
    length += part.length
    if (length < CHUNK_BYTES) continue
    const all = Buffer.concat(buffered)
    let start = 0
    for (; start + CHUNK_BYTES <= length; start += CHUNK_BYTES) {
      yield all.subarray(start, start + CHUNK_BYTES)
    }
    buffered = [all.subarray(start)]
    length -= start
  }
  if (length > 0) yield Buffer.concat(buffered)
}
