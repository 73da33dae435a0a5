import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { Plugin } from '../plugins/schema.ts'
import { findPlugin } from '../plugins/store.ts'
import { logConfigActivity } from './activity.ts'
import { getConfigWithSettings } from './configs.ts'
import type { PipelineConfigSettings } from './schema.ts'
import {
  mergeSettings,
  noSettings,
  type Settings,
  settingChanges,
  visibleSettings,
} from './setting-rules.ts'
import { after, updateConfig } from './store.ts'

export async function getSettings(
  db: Db,
  secrets: Secrets,
  projectId: number,
  id: number,
): Promise<PipelineConfigSettings> {
  const { settings, plugin_id } = await getConfigWithSettings(db, secrets, projectId, id)
  return toAnswer(settings, await findPlugin(db, plugin_id))
}

export function patchSettings(
  db: Db,
  secrets: Secrets,
  caller: Caller,
  id: number,
  sent: Settings,
): Promise<PipelineConfigSettings> {
  const { projectId } = caller
  return changeProject(db, projectId, async (tx) => {
    const config = await getConfigWithSettings(tx, secrets, projectId, id)
    const plugin = await findPlugin(tx, config.plugin_id)
    if (!plugin) throw noSettings(config.plugin_id)
    const settings = mergeSettings(config.settings, sent, plugin)
    const changes = settingChanges(config.settings, settings, plugin)
    if (changes.length > 0) {
      const columns = { settings, updated_at: after(config.updated_at) }
      await updateConfig(tx, secrets, projectId, id, columns)
      await logConfigActivity(tx, caller, id, plugin, { activity: 'config_updated', changes })
    }
    return toAnswer(settings, plugin)
  })
}

const toAnswer = (settings: Settings, plugin: Plugin | undefined): PipelineConfigSettings => ({
  settings: visibleSettings(settings, plugin),
  config_schema: [...(plugin?.config_schema ?? [])],
})
