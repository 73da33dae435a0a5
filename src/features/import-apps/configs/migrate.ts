import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { conflict, invalid } from '#server/errors.ts'
import { requireStorable } from '#server/http/json-body.ts'
import { AppProblem } from '#server/runtime/contract.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { Plugin } from '../plugins/schema.ts'
import { findPlugin } from '../plugins/store.ts'
import { logConfigActivity } from './activity.ts'
import { getConfigWithSettings } from './configs.ts'
import type { Migrated } from './schema.ts'
import {
  getOwn,
  listSettings,
  parseStorable,
  requireSettings,
  type Setting,
  type Settings,
  settingChanges,
} from './setting-rules.ts'
import { after, type ConfigWithSettings, updateConfig } from './store.ts'

/** Asks the app to bring its own settings to its version; undefined when it does not do that. */
export type MigrateByApp = (config: ConfigWithSettings, plugin: Plugin) => Promise<unknown>

const ATTEMPTS = 3

/** The app is asked outside the transaction: its code may take its time, and meanwhile nobody else could write. */
export async function migrateConfig(
  db: Db,
  secrets: Secrets,
  caller: Caller,
  id: number,
  migrateByApp?: MigrateByApp,
): Promise<Migrated> {
  const { projectId } = caller
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const seen = await getConfigWithSettings(db, secrets, projectId, id)
    const plugin = await findPlugin(db, seen.plugin_id)
    if (!plugin) return { plugin_version: '', changes: [] }
    const settings = await toMigratedSettings(seen, plugin, migrateByApp)
    const migrated = await changeProject(db, projectId, async (tx) => {
      const config = await getConfigWithSettings(tx, secrets, projectId, id)
      const isSame = isDeepStrictEqual(
        [config.settings, await findPlugin(tx, config.plugin_id)],
        [seen.settings, plugin],
      )
      return isSame ? writeMigrated(tx, secrets, caller, config, plugin, settings) : undefined
    })
    if (migrated) return migrated
  }
  throw conflict('The settings or the app kept changing meanwhile. Try again.')
}

async function toMigratedSettings(
  config: ConfigWithSettings,
  plugin: Plugin,
  migrateByApp: MigrateByApp | undefined,
): Promise<Settings> {
  const answer = await migrateByApp?.(config, plugin).catch((error: unknown) => {
    throw error instanceof AppProblem ? invalid(null, error.message) : error
  })
  if (answer === undefined) return migrateSettings(config.settings, plugin)
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    throw invalid(null, 'The app did not answer with settings: its migrateConfig is broken.')
  }
  requireStorable(answer)
  const settings = migrateSettings(answer as Settings, plugin)
  requireSettings(settings, plugin)
  return settings
}

async function writeMigrated(
  tx: Tx,
  secrets: Secrets,
  caller: Caller,
  { id, settings: before, updated_at }: ConfigWithSettings,
  plugin: Plugin,
  settings: Settings,
): Promise<Migrated> {
  const changes = settingChanges(before, settings, plugin)
  if (changes.length > 0) {
    const columns = { settings, updated_at: after(updated_at) }
    await updateConfig(tx, secrets, caller.projectId, id, columns)
    await logConfigActivity(tx, caller, id, plugin, { activity: 'migrated', changes })
  }
  return { plugin_version: plugin.version, changes }
}

/**
 * The settings in the shape that the installed version describes: what it does not know is dropped, what is missing
 * gets its default, and what is of another type is converted. A secret is never dropped for its value.
 */
export const migrateSettings = (settings: Settings, plugin: Plugin): Settings =>
  Object.fromEntries(
    listSettings(plugin)
      .map((setting) => [setting.key, migrateValue(setting, getOwn(settings, setting.key))])
      .filter(([, value]) => value !== undefined),
  )

/** undefined: nothing to keep, and no default. */
function migrateValue(setting: Setting, value: unknown): unknown {
  const { type, secret, choices = [], default: byDefault } = setting
  if (value === undefined || value === null) return byDefault ?? undefined
  if (type === 'attachment') return secret ? value : undefined
  if (type === 'json') return toJson(value)
  const text = toText(value)
  if (type === 'choice' && !secret && !choices.includes(text)) return byDefault ?? undefined
  return text
}

/** A text that holds an object or a list becomes it; `5` may well be meant as text. */
function toJson(value: unknown): unknown {
  const parsed = typeof value === 'string' ? parseStorable(value) : undefined
  return typeof parsed === 'object' && parsed !== null ? parsed : value
}

const toText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)
