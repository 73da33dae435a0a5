import type { Caller } from '#server/access/guard.ts'
import type { Plugin } from '../plugins/schema.ts'
import { findPlugin } from '../plugins/store.ts'
import { type Settings, visibleSettings } from '../setting-rules.ts'
import { getConfigWithSettings } from './configs.ts'
import { changeConfig } from './patch.ts'
import type { PipelineConfigSettings } from './schema.ts'
import type { ConfigDeps, ConfigWithSettings } from './store.ts'

export async function getSettings(
  deps: ConfigDeps,
  projectId: number,
  id: number,
): Promise<PipelineConfigSettings> {
  const config = await getConfigWithSettings(deps, projectId, id)
  return toConfigSettings(config, await findPlugin(deps.db, config.plugin_id))
}

export const patchSettings = (
  deps: ConfigDeps,
  caller: Caller,
  { id, settings }: { readonly id: number; readonly settings: Settings },
): Promise<PipelineConfigSettings> => {
  const form = { settings, isPartial: true, uploads: [], removals: [] }
  return changeConfig(deps, caller, { id, form }, toConfigSettings)
}

const toConfigSettings = (
  { settings }: ConfigWithSettings,
  plugin: Plugin | undefined,
): PipelineConfigSettings => ({
  settings: visibleSettings(settings, plugin),
  config_schema: [...(plugin?.config_schema ?? [])],
})
