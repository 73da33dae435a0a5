import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { laterThan } from '#server/db/values.ts'
import { notFound } from '#server/errors.ts'
import type { AppAttachment } from '#server/runtime/contract.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { type ConfigDeps, getConfigRow, getConfigWithSettings } from '../configs/configs.ts'
import { applyDestinationRule } from '../configs/destination.ts'
import { updateConfig } from '../configs/store.ts'
import { findPlugin } from '../plugins/store.ts'
import { queueSetUp } from '../runs/execution/set-ups.ts'
import { type AttachmentChanges, applyAttachmentChanges, requireFileSetting } from './apply.ts'
import { visibleAttachments } from './representation.ts'
import type { Attachment } from './schema.ts'
import {
  type AttachmentRow,
  deleteDetached,
  findChunk,
  listAttachmentRows,
  type NewAttachment,
} from './store.ts'
import { storeUpload } from './upload.ts'

export async function listAttachments(
  db: Db,
  projectId: number,
  configId: number,
): Promise<Attachment[]> {
  const config = await getConfigRow(db, projectId, configId)
  const rows = await listAttachmentRows(db, [configId])
  return visibleAttachments(rows, await findPlugin(db, config.plugin_id))
}

/** Throws if the config's app has no setting for the file, before the upload is read. */
async function requireAttachmentSetting(
  db: Db,
  projectId: number,
  configId: number,
  key: string,
): Promise<void> {
  const config = await getConfigRow(db, projectId, configId)
  requireFileSetting(await findPlugin(db, config.plugin_id), config.plugin_id, key)
}

export interface AttachmentPut {
  readonly configId: number
  readonly file: NewAttachment
  readonly bytes: AsyncIterable<Uint8Array>
}

export async function putAttachment(
  { db, secrets }: ConfigDeps,
  caller: Caller,
  { configId, file, bytes }: AttachmentPut,
): Promise<Attachment> {
  const { projectId } = caller
  await requireAttachmentSetting(db, projectId, configId, file.key)
  const upload = await storeUpload({ db, secrets }, projectId, file, bytes)
  try {
    const changes = { uploads: [upload], removals: [] }
    await changeAttachments({ db, secrets }, caller, configId, changes)
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
  await changeAttachments(deps, caller, configId, { uploads: [], removals: [key] })
}

async function changeAttachments(
  { db, secrets }: ConfigDeps,
  caller: Caller,
  configId: number,
  changes: AttachmentChanges,
): Promise<void> {
  const { projectId } = caller
  const replaced = await changeProject(db, projectId, async (tx) => {
    const config = await getConfigWithSettings({ db: tx, secrets }, projectId, configId)
    const plugin = await findPlugin(tx, config.plugin_id)
    const { settings, removals } = applyDestinationRule(plugin, caller, {
      before: config.settings,
      after: config.settings,
      sent: {},
      attached: (await listAttachmentRows(tx, [configId])).map(({ key }) => key),
      uploads: changes.uploads.map(({ key }) => key),
      removals: changes.removals,
    })
    // a new version makes the next run start a new process
    const columns = { settings, updated_at: laterThan(config.updated_at) }
    await queueSetUp(tx, await updateConfig(tx, secrets, projectId, configId, columns), plugin)
    return applyAttachmentChanges(tx, caller, { configId, plugin }, { ...changes, removals })
  })
  await deleteDetached(db, replaced)
}

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
