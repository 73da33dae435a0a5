import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import { laterThan } from '#server/db/values.ts'
import { applyAttachmentChanges } from '../attachments/apply.ts'
import { deleteDetached, listAttachmentRows } from '../attachments/store.ts'
import type { Plugin } from '../plugins/schema.ts'
import { findPlugin } from '../plugins/store.ts'
import { queueSetUp } from '../runs/execution/set-ups.ts'
import { logConfigActivity } from './activity.ts'
import { type ConfigDeps, getConfigWithSettings } from './configs.ts'
import { applyDestinationRule } from './destination.ts'
import type { PipelineConfigSettings } from './schema.ts'
import {
  listSettingChanges,
  mergeSettings,
  type Settings,
  settingsUnavailable,
  visibleSettings,
} from './setting-rules.ts'
import { updateConfig } from './store.ts'

export async function getSettings(
  deps: ConfigDeps,
  projectId: number,
  id: number,
): Promise<PipelineConfigSettings> {
  const { settings, plugin_id } = await getConfigWithSettings(deps, projectId, id)
  return toConfigSettings(settings, await findPlugin(deps.db, plugin_id))
}

export async function patchSettings(
  { db, secrets }: ConfigDeps,
  caller: Caller,
  { id, patch }: { readonly id: number; readonly patch: Settings },
): Promise<PipelineConfigSettings> {
  const { projectId } = caller
  const { saved, detached } = await changeProject(db, projectId, async (tx) => {
    const config = await getConfigWithSettings({ db: tx, secrets }, projectId, id)
    const plugin = await findPlugin(tx, config.plugin_id)
    if (!plugin) throw settingsUnavailable(config.plugin_id)
    const { settings, removals } = applyDestinationRule(plugin, caller, {
      before: config.settings,
      after: mergeSettings(config.settings, patch, plugin),
      sent: patch,
      attached: (await listAttachmentRows(tx, [id])).map(({ key }) => key),
      uploads: [],
      removals: [],
    })
    const changes = listSettingChanges(config.settings, settings, plugin)
    if (changes.length > 0) {
      const columns = { settings, updated_at: laterThan(config.updated_at) }
      await queueSetUp(tx, await updateConfig(tx, secrets, projectId, id, columns), plugin)
      await logConfigActivity(tx, caller, id, plugin, { activity: 'config_updated', changes })
    }
    const owner = { configId: id, plugin }
    const detached = await applyAttachmentChanges(tx, caller, owner, { uploads: [], removals })
    return { saved: toConfigSettings(settings, plugin), detached }
  })
  await deleteDetached(db, detached)
  return saved
}

const toConfigSettings = (
  settings: Settings,
  plugin: Plugin | undefined,
): PipelineConfigSettings => ({
  settings: visibleSettings(settings, plugin),
  config_schema: [...(plugin?.config_schema ?? [])],
})
