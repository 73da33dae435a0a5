import { describeLimitation, neverRuns } from '#model/app-limitation.ts'
import type { Db } from '#server/db/schema.ts'
import { chunksOf, inSeconds, MAX_VALUES_PER_STATEMENT } from '#server/db/values.ts'
import { toConfigAttachments } from '../attachments/representation.ts'
import { type AttachmentRow, listAttachmentRows } from '../attachments/store.ts'
import type { Plugin } from '../plugins/schema.ts'
import { listPluginsById } from '../plugins/store.ts'
import { visibleSettings } from '../setting-rules.ts'
import { listMissingSettings, toMissingMessage } from './app-config.ts'
import { countSuccesses, listLastFailures, type SuccessCount } from './health-store.ts'
import type { PipelineConfig } from './schema.ts'
import type { ConfigWithSettings } from './store.ts'

const ONE_DAY_S = 24 * 60 * 60

export async function toConfigs(
  db: Db,
  projectId: number,
  rows: readonly ConfigWithSettings[],
): Promise<PipelineConfig[]> {
  const configs: PipelineConfig[] = []
  for (const batch of chunksOf(rows, MAX_VALUES_PER_STATEMENT)) {
    const ids = batch.map(({ id }) => id)
    const plugins = await listPluginsById(
      db,
      batch.map((row) => row.plugin_id),
    )
    const successes = await countSuccesses(db, projectId, ids, inSeconds(-ONE_DAY_S))
    const failures = await listLastFailures(db, projectId, ids)
    const attachments = Map.groupBy(await listAttachmentRows(db, ids), (row) => row.config_id)
    for (const row of batch) {
      const health = { success: successes.get(row.id), failure: failures.get(row.id) }
      const files = attachments.get(row.id) ?? []
      configs.push(toPipelineConfig(row, plugins.get(row.plugin_id), files, health))
    }
  }
  return configs
}

export async function toConfig(db: Db, row: ConfigWithSettings): Promise<PipelineConfig> {
  const [config] = await toConfigs(db, row.project_id, [row])
  return config as PipelineConfig
}

export const toNotInstalledMessage = (pluginId: number): string =>
  `Plugin ${pluginId} is not installed.`

interface Health {
  readonly success: SuccessCount | undefined
  readonly failure: string | undefined
}

const toPipelineConfig = (
  row: ConfigWithSettings,
  plugin: Plugin | undefined,
  files: readonly AttachmentRow[],
  { success, failure = '' }: Health,
): PipelineConfig => ({
  id: row.id,
  plugin: row.plugin_id,
  enabled: row.enabled === 1,
  order: row.position,
  config: JSON.stringify({
    ...visibleSettings(row.settings, plugin),
    ...toConfigAttachments(files, plugin),
  }),
  error: plugin
    ? toNeverRunsError(plugin) || toMissingError(row, plugin, files) || failure
    : toNotInstalledMessage(row.plugin_id),
  team_id: row.project_id,
  plugin_info: plugin ? JSON.stringify(plugin) : '',
  delivery_rate_24h: success ? toRate(success) : '',
  created_at: row.created_at,
  updated_at: row.updated_at,
  name: row.name || plugin?.name || '',
  description: row.description || plugin?.description || '',
  deleted: row.deleted === 1,
})

const toNeverRunsError = (plugin: Plugin): string =>
  neverRuns(plugin) ? describeLimitation(plugin) : ''

/** Required settings may be missing as long as the config is disabled. */
function toMissingError(
  row: ConfigWithSettings,
  plugin: Plugin,
  files: readonly AttachmentRow[],
): string {
  if (!row.enabled) return ''
  const byKey = Object.fromEntries(files.map((file) => [file.key, file]))
  return toMissingMessage(listMissingSettings(plugin, row.settings, byKey))
}

/** Returns at most four decimals, without trailing zeros. */
const toRate = ({ succeeded, finished }: SuccessCount): string =>
  String(Number((succeeded / finished).toFixed(4)))
