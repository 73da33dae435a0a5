import type { Db } from '#server/db/schema.ts'
import type { AppOutcome, AppSpec } from '#server/runtime/contract.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { openAttachments } from '../attachments/attachments.ts'
import { loadAppConfig, missingSettings, saysMissing } from '../configs/app-config.ts'
import { notInstalled } from '../configs/representation.ts'
import { type ConfigRow, findConfigRow } from '../configs/store.ts'
import type { Plugin } from '../plugins/schema.ts'
import { findPlugin } from '../plugins/store.ts'
import type { RunRow } from './store.ts'

const cancelled = (message: string) => ({ refused: { ended: 'cancelled', message } as AppOutcome })
const failed = (message: string) => ({
  refused: { ended: 'failed', by: 'app', message } as AppOutcome,
})

/** The app of a run as it is now, or why it may not run. */
export async function loadApp(
  db: Db,
  secrets: Secrets,
  run: Pick<RunRow, 'project_id' | 'config_id'>,
): Promise<{ spec: AppSpec } | { refused: AppOutcome }> {
  const config = await findConfigRow(db, secrets, run.project_id, run.config_id)
  if (!config) return cancelled('The config is gone.')
  if (config.deleted) return cancelled('The config is in the trash.')
  if (!config.enabled) return cancelled('The config is disabled. Enable it to run its app.')
  const plugin = await findPlugin(db, config.plugin_id)
  if (!plugin) return failed(notInstalled(config.plugin_id))
  const attachments = await openAttachments(db, secrets, config.id)
  const missing = missingSettings(plugin, config.settings, attachments)
  if (missing.length > 0) return failed(saysMissing(missing))
  return { spec: await toSpec(db, config, plugin, attachments) }
}

/** What a process needs to be this config's app. */
export async function toSpec(
  db: Db,
  config: ConfigRow,
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
    ...loadAppConfig(plugin, config.settings),
    attachments,
  }
}
