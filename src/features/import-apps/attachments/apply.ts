import type { Caller } from '#server/access/guard.ts'
import type { Tx } from '#server/db/schema.ts'
import { invalid } from '#server/errors.ts'
import type { Change } from '#server/features/activity/schema.ts'
import { configLog, type LoggedConfig } from '../config-activity.ts'
import type { Plugin } from '../plugins/schema.ts'
import { listSettings, settingsUnavailable } from '../setting-rules.ts'
import { toVisibleName } from './representation.ts'
import { type AttachmentRow, listAttachmentRows, updateAttachmentOwner } from './store.ts'
import { uploadTimedOut } from './upload.ts'

export interface AttachmentChanges {
  readonly uploads: readonly AttachmentRow[]
  readonly removals: readonly string[]
}

/** Returns the ids of the files that were detached, to be deleted after the commit. */
export async function applyAttachmentChanges(
  tx: Tx,
  caller: Caller,
  config: LoggedConfig,
  { uploads, removals }: AttachmentChanges,
): Promise<string[]> {
  const { configId, plugin } = config
  const current = new Map((await listAttachmentRows(tx, [configId])).map((row) => [row.key, row]))
  const detached: string[] = []
  const log = (before: AttachmentRow | undefined, after: AttachmentRow | undefined) =>
    configLog.logActivity(tx, caller, config, ...toActivityEntry(plugin, before, after))
  for (const key of removals) {
    const before = current.get(key)
    if (!before) continue
    await updateAttachmentOwner(tx, before.id, null)
    await log(before, undefined)
    current.delete(key)
    detached.push(before.id)
  }
  for (const upload of uploads) {
    requireFileSetting(plugin, plugin?.id ?? 0, upload.key)
    const before = current.get(upload.key)
    if (before) await updateAttachmentOwner(tx, before.id, null)
    if (!(await updateAttachmentOwner(tx, upload.id, configId))) {
      throw uploadTimedOut()
    }
    await log(before, upload)
    current.set(upload.key, upload)
    if (before) detached.push(before.id)
  }
  return detached
}

/** Leaves out the name of the setting, as clients expect. */
function toActivityEntry(
  plugin: Plugin | undefined,
  before: AttachmentRow | undefined,
  after: AttachmentRow | undefined,
): [activity: string, changes: Change[]] {
  const action = !before ? 'created' : after ? 'changed' : 'deleted'
  const activities = { created: 'created', changed: 'updated', deleted: 'deleted' }
  const change: Change = {
    type: 'PluginConfig',
    action,
    field: null,
    before: before ? toVisibleName(before, plugin) : null,
    after: after ? toVisibleName(after, plugin) : null,
  }
  return [`attachment_${activities[action]}`, [change]]
}

/** Throws if the app has no file setting with this key. */
export function requireFileSetting(
  plugin: Plugin | undefined,
  pluginId: number,
  key: string,
): void {
  if (!plugin) throw settingsUnavailable(pluginId)
  const setting = listSettings(plugin).find((known) => known.key === key)
  if (!setting) throw invalid(key, 'Unknown setting.')
  if (setting.type !== 'attachment') throw invalid(key, 'This setting is not a file.')
}
