import type { Caller } from '../../access/guard.ts'
import { changeProject } from '../../db/change.ts'
import type { Db } from '../../db/schema.ts'
import { now } from '../../db/values.ts'
import { conflict } from '../../errors.ts'
import type { Plugin } from '../plugins/schema.ts'
import { findPlugin } from '../plugins/store.ts'
import { logConfig } from './log.ts'
import { getConfigRow } from './pipeline-configs.ts'
import type { PipelineConfigSettings } from './schema.ts'
import { mergeSettings, type Settings, settingChanges, visibleSettings } from './setting-rules.ts'
import { updateConfig } from './store.ts'

export async function getSettings(
  db: Db,
  projectId: number,
  id: number,
): Promise<PipelineConfigSettings> {
  const config = await getConfigRow(db, projectId, id)
  return toAnswer(JSON.parse(config.settings), await findPlugin(db, config.plugin_id))
}

export function patchSettings(
  db: Db,
  caller: Caller,
  id: number,
  sent: Settings,
): Promise<PipelineConfigSettings> {
  return changeProject(db, caller.projectId, async (tx) => {
    const config = await getConfigRow(tx, caller.projectId, id)
    const plugin = await findPlugin(tx, config.plugin_id)
    if (!plugin) throw conflict(`Plugin ${config.plugin_id} is not installed: it has no settings.`)
    const before: Settings = JSON.parse(config.settings)
    const after = mergeSettings(before, sent, plugin)
    const changes = settingChanges(before, after, plugin)
    if (changes.length > 0) {
      const columns = { settings: JSON.stringify(after), updated_at: now() }
      await updateConfig(tx, caller.projectId, id, columns)
      await logConfig(tx, caller, id, plugin, { activity: 'config_updated', changes })
    }
    return toAnswer(after, plugin)
  })
}

const toAnswer = (settings: Settings, plugin: Plugin | undefined): PipelineConfigSettings => ({
  settings: visibleSettings(settings, plugin),
  config_schema: [...(plugin?.config_schema ?? [])],
})
