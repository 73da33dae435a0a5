import type { Db } from '#server/db/schema.ts'
import { loadAttachments } from '#server/features/import-apps/attachments/load.ts'
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
import { findPlugin, getPluginCode } from '#server/features/import-apps/plugins/store.ts'
import { APP_CHANGED, type RunRow } from '#server/features/import-apps/queue/store.ts'
import { isStale } from '#server/features/import-apps/schedules/ticks.ts'
import type { AppOutcome, AppSpec } from '#server/runtime/contract.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { findRefusal } from './run-rights.ts'

const canceled = (message: string) => ({ refused: { ended: 'cancelled', message } as AppOutcome })
const failed = (message: string) => ({
  refused: { ended: 'failed', by: 'app', message } as AppOutcome,
})

/** Returns the app of a run with its current code and settings, or the reason why it cannot run. */
export async function loadAppSpec(
  { db, secrets }: { readonly db: Db; readonly secrets: Secrets },
  run: RunRow,
): Promise<{ spec: AppSpec } | { refused: AppOutcome }> {
  const config = await findConfigWithSettings(db, secrets, run.project_id, run.config_id)
  if (!config) return canceled('The config was deleted.')
  if (config.deleted) return canceled('The config is in the trash.')
  if (!config.enabled && run.dry_run === 0)
    return canceled('The config is disabled. Enable it to run its app.')
  if (run.plugin_id !== null && run.plugin_id !== config.plugin_id) return canceled(APP_CHANGED)
  if (config.schedule === null && run.kind === 'schedule' && run.retries === 0) {
    const hasExpired = isStale(run.name, run.created_at, Date.now())
    if (hasExpired) return canceled('The run waited longer than its period.')
  }
  const plugin = await findPlugin(db, config.plugin_id)
  if (!plugin) return failed(toNotInstalledMessage(config.plugin_id))
  const refusal = await findRefusal(db, run, plugin)
  if (refusal !== undefined) return canceled(refusal)
  const attachments = await loadAttachments(db, secrets, config.id)
  const missing = listMissingSettings(plugin, config.settings, attachments)
  if (missing.length > 0) return failed(toMissingMessage(missing))
  const spec = await toAppSpec(db, config, plugin, attachments)
  return { spec: { ...spec, version: toVersion(run, spec) } }
}

/** Gives test runs and backfills processes of their own, because what they keep in memory must not reach other runs. */
function toVersion(run: RunRow, { version }: AppSpec): string {
  if (run.dry_run === 1) return `test ${run.id}`
  return run.backfill_id === null ? version : `${version} backfill ${run.backfill_id}`
}

export async function toAppSpec(
  db: Db,
  config: ConfigWithSettings,
  plugin: Plugin,
  attachments: AppSpec['attachments'],
): Promise<AppSpec> {
  const { code, updated_at } = await getPluginCode(db, plugin.id)
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
