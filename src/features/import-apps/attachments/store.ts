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

/** Deleting 1 MiB takes SQLite a millisecond, during which nobody else is served. */
const DELETED_AT_A_TIME = 8
/** Longer than any sender is allowed to be silent. */
const ABANDONED_AFTER_S = 15 * 60

/** By config, then by key. Those that still arrive belong to none. */
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

/** Belongs to no config until it is complete. */
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

/** undefined: it was given up meanwhile. The update is the lock that sealing needs. */
export function appendChunk(
  db: Db,
  secrets: Secrets,
  id: string,
  position: number,
  plain: Uint8Array,
): Promise<AttachmentRow | undefined> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable('attachments')
      .set((eb) => ({ size: eb('size', '+', plain.length), created_at: now() }))
      .where('id', '=', id)
      .where('config_id', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (!row) return undefined
    const sealed = secrets.encryptBytes(plain)
    await tx
      .insertInto('attachment_chunks')
      .values({ attachment_id: id, position, sealed })
      .execute()
    return row
  })
}

/** undefined: there is no such piece. */
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

/** False: it was given up meanwhile. */
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

/** Or the database would delete them with their config, all at once. Returns their ids. */
export async function detachAttachments(tx: Tx, configId: number): Promise<string[]> {
  const rows = await tx
    .updateTable('attachments')
    .set({ config_id: null, created_at: now() })
    .where('config_id', '=', configId)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Leaves alone what belongs to a config. Not in one transaction: it may be 2 GiB. */
export async function deleteDetached(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const loose = db.selectFrom('attachments').select('id').where('config_id', 'is', null)
  for (const { id } of await loose.where('id', 'in', ids).execute()) {
    for (let first = await findFirstPosition(db, id); first !== null; ) {
      await db
        .deleteFrom('attachment_chunks')
        .where('attachment_id', '=', id)
        .where('position', '<', first + DELETED_AT_A_TIME)
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

/** Left by a server that died. */
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
