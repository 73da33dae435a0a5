import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { Tx } from '#server/db/schema.ts'
import { laterThan } from '#server/db/values.ts'
import { conflict, invalid } from '#server/errors.ts'
import { requireStorable } from '#server/http/json-body.ts'
import { AppProblem } from '#server/runtime/contract.ts'
import { configLog } from '../config-activity.ts'
import type { Plugin } from '../plugins/schema.ts'
import { findPlugin } from '../plugins/store.ts'
import { queueSetUp } from '../queue/set-ups.ts'
import {
  getOwn,
  listSettingChanges,
  listSettings,
  parseStorable,
  requireSettings,
  type Setting,
  type Settings,
} from '../setting-rules.ts'
import { getConfigWithSettings } from './configs.ts'
import type { Migrated } from './schema.ts'
import { type ConfigDeps, type ConfigWithSettings, updateConfig } from './store.ts'

/** Runs the app's own `migrateConfig`. Returns undefined if the app has none. */
export type MigrateByApp = (config: ConfigWithSettings, plugin: Plugin) => Promise<unknown>

export interface MigrateDeps extends ConfigDeps {
  readonly migrateByApp?: MigrateByApp | undefined
}

const MAX_ATTEMPTS = 3

/** Runs the app's code outside the transaction, since it may be slow and the transaction blocks other writers. */
export async function migrateConfig(
  { db, secrets, migrateByApp }: MigrateDeps,
  caller: Caller,
  id: number,
): Promise<Migrated> {
  const { projectId } = caller
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const seen = await getConfigWithSettings({ db, secrets }, projectId, id)
    const plugin = await findPlugin(db, seen.plugin_id)
    if (!plugin) return { plugin_version: '', changes: [] }
    const settings = await toMigratedSettings(seen, plugin, migrateByApp)
    const migrated = await changeProject(db, projectId, async (tx) => {
      const config = await getConfigWithSettings({ db: tx, secrets }, projectId, id)
      const isSame = isDeepStrictEqual(
        [config.settings, await findPlugin(tx, config.plugin_id)],
        [seen.settings, plugin],
      )
      if (!isSame) return undefined
      return storeMigrated({ db: tx, secrets }, caller, config, { plugin, settings })
    })
    if (migrated) return migrated
  }
  throw conflict('The settings or the app changed during the migration. Try again.')
}

async function toMigratedSettings(
  config: ConfigWithSettings,
  plugin: Plugin,
  migrateByApp: MigrateByApp | undefined,
): Promise<Settings> {
  const migrated = await migrateByApp?.(config, plugin).catch((error: unknown) => {
    throw error instanceof AppProblem ? invalid(null, error.message) : error
  })
  if (migrated === undefined) return migrateSettings(config.settings, plugin)
  if (typeof migrated !== 'object' || migrated === null || Array.isArray(migrated)) {
    throw invalid(null, "The app's migrateConfig did not return settings.")
  }
  requireStorable(migrated)
  const settings = migrateSettings(migrated as Settings, plugin)
  requireSettings(settings, plugin)
  return settings
}

async function storeMigrated(
  deps: ConfigDeps & { readonly db: Tx },
  caller: Caller,
  config: ConfigWithSettings,
  { plugin, settings }: { readonly plugin: Plugin; readonly settings: Settings },
): Promise<Migrated> {
  const changes = listSettingChanges(config.settings, settings, plugin)
  if (changes.length > 0) {
    const columns = { settings, updated_at: laterThan(config.updated_at) }
    await queueSetUp(deps.db, await updateConfig(deps, config, columns), plugin)
    const logged = { configId: config.id, plugin }
    await configLog.logActivity(deps.db, caller, logged, 'migrated', changes)
  }
  return { plugin_version: plugin.version, changes }
}

/**
 * Converts settings to the schema of the installed version: unknown ones are dropped, missing ones get their defaults,
 * and other types are converted. A secret is never dropped because of its value.
 */
export const migrateSettings = (settings: Settings, plugin: Plugin): Settings =>
  Object.fromEntries(
    listSettings(plugin)
      .map((setting) => [setting.key, migrateValue(setting, getOwn(settings, setting.key))])
      .filter(([, value]) => value !== undefined),
  )

/** Returns undefined if there is neither a value to keep nor a default. */
function migrateValue(setting: Setting, value: unknown): unknown {
  const { type, secret, choices = [], default: defaultValue } = setting
  if (value === undefined || value === null) return defaultValue ?? undefined
  if (type === 'attachment') return secret ? value : undefined
  if (type === 'json') return toJson(value)
  const text = toText(value)
  if (type === 'choice' && !secret && !choices.includes(text)) return defaultValue ?? undefined
  return text
}

/** Parses a text that holds an object or a list. Others stay: `5` may well be meant as text. */
function toJson(value: unknown): unknown {
  const parsed = typeof value === 'string' ? parseStorable(value) : undefined
  return typeof parsed === 'object' && parsed !== null ? parsed : value
}

const toText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)
