import type { Db } from '#server/db/schema.ts'
import { loadAttachments } from '#server/features/import-apps/attachments/attachments.ts'
import {
  listMissingSettings,
  toAppConfig,
  toMissingMessage,
} from '#server/features/import-apps/configs/app-config.ts'
import { toNotInstalledMessage } from '#server/features/import-apps/configs/representation.ts'
import {
  type ConfigWithSettings,
  findConfigWithSettings,
} from '#server/features/import-apps/configs/store.ts'
import type { Plugin } from '#server/features/import-apps/plugins/schema.ts'
import { findPlugin } from '#server/features/import-apps/plugins/store.ts'
import type { AppOutcome, AppSpec } from '#server/runtime/contract.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { RunRow } from '../store.ts'

const cancelled = (message: string) => ({ refused: { ended: 'cancelled', message } as AppOutcome })
const failed = (message: string) => ({
  refused: { ended: 'failed', by: 'app', message } as AppOutcome,
})

/** The app of a run as it is now, or why it may not run. */
export async function loadAppSpec(
  db: Db,
  secrets: Secrets,
  run: Pick<RunRow, 'project_id' | 'config_id'>,
): Promise<{ spec: AppSpec } | { refused: AppOutcome }> {
  const config = await findConfigWithSettings(db, secrets, run.project_id, run.config_id)
  if (!config) return cancelled('The config is gone.')
  if (config.deleted) return cancelled('The config is in the trash.')
  if (!config.enabled) return cancelled('The config is disabled. Enable it to run its app.')
  const plugin = await findPlugin(db, config.plugin_id)
  if (!plugin) return failed(toNotInstalledMessage(config.plugin_id))
  const attachments = await loadAttachments(db, secrets, config.id)
  const missing = listMissingSettings(plugin, config.settings, attachments)
  if (missing.length > 0) return failed(toMissingMessage(missing))
  return { spec: await toAppSpec(db, config, plugin, attachments) }
}

/** What a process needs to be this config's app. */
export async function toAppSpec(
  db: Db,
  config: ConfigWithSettings,
  plugin: Plugin,
  attachments: AppSpec['attachments'],
): Promise<AppSpec> {
  const { code, updated_at } = await db
    .selectFrom('plugins')
    .select(['code', 'updated_at'])
    .where('id', '=', plugin.id)
    .executeTakeFirstOrThrow()
  return {
    configId: config.id,
    projectId: config.project_id,
    pluginId: plugin.id,
    pluginName: plugin.name,
    version: `${config.updated_at} ${updated_at}`,
    code,
    ...toAppConfig(plugin, config.settings),
    attachments,
  }
}
