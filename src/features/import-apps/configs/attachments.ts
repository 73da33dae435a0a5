import type { Caller } from '#server/access/guard.ts'
import type { Db } from '#server/db/schema.ts'
import { notFound } from '#server/errors.ts'
import { requireFileSetting } from '../attachments/apply.ts'
import { visibleAttachments } from '../attachments/representation.ts'
import type { Attachment } from '../attachments/schema.ts'
import { deleteDetached, listAttachmentRows, type NewAttachment } from '../attachments/store.ts'
import { storeUpload } from '../attachments/upload.ts'
import { findPlugin } from '../plugins/store.ts'
import { getConfigRow } from './configs.ts'
import { changeConfig } from './patch.ts'
import type { ConfigDeps } from './store.ts'

export async function listAttachments(
  db: Db,
  projectId: number,
  configId: number,
): Promise<Attachment[]> {
  const config = await getConfigRow(db, projectId, configId)
  const rows = await listAttachmentRows(db, [configId])
  return visibleAttachments(rows, await findPlugin(db, config.plugin_id))
}

export interface AttachmentPut {
  readonly configId: number
  readonly file: NewAttachment
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Throws before the upload is read if the config's app has no setting for the file. */
export async function putAttachment(
  deps: ConfigDeps,
  caller: Caller,
  { configId, file, bytes }: AttachmentPut,
): Promise<Attachment> {
  const { db } = deps
  const { projectId } = caller
  const { plugin_id } = await getConfigRow(db, projectId, configId)
  requireFileSetting(await findPlugin(db, plugin_id), plugin_id, file.key)
  const upload = await storeUpload(deps, { projectId, file, bytes })
  try {
    const form = { uploads: [upload], removals: [] }
    await changeConfig(deps, caller, { id: configId, form }, () => {})
  } catch (error) {
    await deleteDetached(db, [upload.id])
    throw error
  }
  const all = await listAttachments(db, projectId, configId)
  const put = all.find(({ key }) => key === file.key)
  if (!put) throw notFound() // another request has just removed it
  return put
}

export async function removeAttachment(
  deps: ConfigDeps,
  caller: Caller,
  configId: number,
  key: string,
): Promise<void> {
  const { db } = deps
  await getConfigRow(db, caller.projectId, configId)
  const rows = await listAttachmentRows(db, [configId])
  if (!rows.some((row) => row.key === key)) throw notFound()
  const form = { uploads: [], removals: [key] }
  await changeConfig(deps, caller, { id: configId, form }, () => {})
}
