import type { Selectable } from 'kysely'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { inSeconds, now, uuid } from '#server/db/values.ts'
import type { Secrets } from '#server/secrets/secrets.ts'

export type AttachmentRow = Selectable<Schema['attachments']>

export interface NewAttachment {
  readonly key: string
  readonly fileName: string
  readonly contentType: string
}

/** Deleting 1 MiB takes SQLite a millisecond, during which no other request is served. */
const CHUNKS_PER_DELETE = 8
/** Longer than the server waits for the next bytes of a request. */
const ABANDONED_AFTER_S = 15 * 60

/** Lists attachments by config and key, without unfinished uploads, which belong to no config. */
export async function listAttachmentRows(
  db: Db,
  configIds: readonly number[],
): Promise<AttachmentRow[]> {
  if (configIds.length === 0) return []
  return db
    .selectFrom('attachments')
    .selectAll()
    .where('config_id', 'in', configIds)
    .orderBy('config_id')
    .orderBy('key')
    .execute()
}

/** Inserts an upload, which belongs to no config until it is complete. */
export function insertUpload(
  db: Db,
  projectId: number,
  { key, fileName, contentType }: NewAttachment,
): Promise<AttachmentRow> {
  return db
    .insertInto('attachments')
    .values({
      id: uuid(),
      project_id: projectId,
      config_id: null,
      key,
      file_name: fileName,
      content_type: contentType,
      size: 0,
      created_at: now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export interface NewChunk {
  /** The id of the upload. */
  readonly id: string
  readonly position: number
  readonly bytes: Uint8Array
}

/** Returns undefined if the upload was abandoned. The update comes first to lock the row for encryption. */
export async function insertChunk(
  tx: Tx,
  secrets: Secrets,
  { id, position, bytes }: NewChunk,
): Promise<AttachmentRow | undefined> {
  const row = await tx
    .updateTable('attachments')
    .set((eb) => ({ size: eb('size', '+', bytes.length), created_at: now() }))
    .where('id', '=', id)
    .where('config_id', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!row) return undefined
  const sealed = secrets.encryptBytes(bytes)
  await tx.insertInto('attachment_chunks').values({ attachment_id: id, position, sealed }).execute()
  return row
}

export async function findChunk(
  db: Db,
  secrets: Secrets,
  id: string,
  position: number,
): Promise<Uint8Array | undefined> {
  const chunk = await db
    .selectFrom('attachment_chunks')
    .select('sealed')
    .where('attachment_id', '=', id)
    .where('position', '=', position)
    .executeTakeFirst()
  return chunk && secrets.decryptBytes(chunk.sealed)
}

/** Returns false if the upload was abandoned. */
export async function updateAttachmentOwner(
  tx: Tx,
  id: string,
  configId: number | null,
): Promise<boolean> {
  const row = await tx
    .updateTable('attachments')
    .set({ config_id: configId, created_at: now() })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Detaches the files of a config and returns their ids. The database would delete them all at once with the config. */
export async function detachAttachments(tx: Tx, configId: number): Promise<string[]> {
  const rows = await tx
    .updateTable('attachments')
    .set({ config_id: null, created_at: now() })
    .where('config_id', '=', configId)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes files that belong to no config, in several transactions, since a file may have 2 GiB. */
export async function deleteDetached(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const detached = db.selectFrom('attachments').select('id').where('config_id', 'is', null)
  for (const { id } of await detached.where('id', 'in', ids).execute()) {
    for (let first = await findFirstPosition(db, id); first !== null; ) {
      await db
        .deleteFrom('attachment_chunks')
        .where('attachment_id', '=', id)
        .where('position', '<', first + CHUNKS_PER_DELETE)
        .execute()
      first = await findFirstPosition(db, id)
    }
    await db.deleteFrom('attachments').where('id', '=', id).execute()
  }
}

async function findFirstPosition(db: Db, id: string): Promise<number | null> {
  const { first } = await db
    .selectFrom('attachment_chunks')
    .select((eb) => eb.fn.min('position').as('first'))
    .where('attachment_id', '=', id)
    .executeTakeFirstOrThrow()
  return first
}

/** Deletes the unfinished uploads of a server that died. */
export async function deleteAbandonedUploads(db: Db): Promise<void> {
  const rows = await db
    .selectFrom('attachments')
    .select('id')
    .where('config_id', 'is', null)
    .where('created_at', '<', inSeconds(-ABANDONED_AFTER_S))
    .execute()
  await deleteDetached(
    db,
    rows.map(({ id }) => id),
  )
}
