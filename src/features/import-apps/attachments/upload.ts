import type { Db } from '#server/db/schema.ts'
import { ApiError, conflict } from '#server/errors.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import {
  type AttachmentRow,
  appendChunk,
  deleteAbandonedUploads,
  deleteDetached,
  insertUpload,
  type NewAttachment,
} from './store.ts'

const CHUNK_BYTES = 1024 * 1024
export const MAX_ATTACHMENT_BYTES = 2 * 1024 ** 3

export const fileTooLarge = (): ApiError =>
  new ApiError('request_too_large', 'The file is larger than 2 GiB.')

/** Stores what arrives, piece by piece. It belongs to no config yet; if it does not arrive whole, it leaves no trace. */
export async function storeUpload(
  db: Db,
  secrets: Secrets,
  projectId: number,
  file: NewAttachment,
  bytes: AsyncIterable<Uint8Array>,
  limit = MAX_ATTACHMENT_BYTES,
): Promise<AttachmentRow> {
  await deleteAbandonedUploads(db)
  let row = await insertUpload(db, projectId, file)
  try {
    let position = 0
    for await (const chunk of toChunks(bytes)) {
      if (row.size + chunk.length > limit) throw fileTooLarge()
      const grown = await appendChunk(db, secrets, row.id, position, chunk)
      if (!grown) throw conflict('The upload took too long and was given up.')
      row = grown
      position++
    }
    return row
  } catch (error) {
    await deleteDetached(db, [row.id])
    throw error
  }
}

/** Pieces of the same size, but for the last. */
async function* toChunks(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let waiting: Uint8Array[] = []
  let length = 0
  for await (const some of bytes) {
    waiting.push(some)
    length += some.length
    if (length < CHUNK_BYTES) continue
    const all = Buffer.concat(waiting)
    let start = 0
    for (; start + CHUNK_BYTES <= length; start += CHUNK_BYTES) {
      yield all.subarray(start, start + CHUNK_BYTES)
    }
    waiting = [all.subarray(start)]
    length -= start
  }
  if (length > 0) yield Buffer.concat(waiting)
}
