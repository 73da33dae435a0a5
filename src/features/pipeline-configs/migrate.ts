import type { Caller } from '../../access/guard.ts'
import { changeProject } from '../../db/change.ts'
import type { Db } from '../../db/schema.ts'
import { now } from '../../db/values.ts'
import type { Plugin } from '../plugins/schema.ts'
import { findPlugin } from '../plugins/store.ts'
import { logConfig } from './log.ts'
import { getConfigRow } from './pipeline-configs.ts'
import type { Migrated } from './schema.ts'
import {
  ownValue,
  parseStorable,
  type Setting,
  type Settings,
  settingChanges,
  settingsOf,
} from './setting-rules.ts'
import { updateConfig } from './store.ts'

export function migrateConfig(db: Db, caller: Caller, id: number): Promise<Migrated> {
  return changeProject(db, caller.projectId, async (tx) => {
    const config = await getConfigRow(tx, caller.projectId, id)
    const plugin = await findPlugin(tx, config.plugin_id)
    if (!plugin) return { plugin_version: '', changes: [] }
    const before: Settings = JSON.parse(config.settings)
    const after = migrateSettings(before, plugin)
    const changes = settingChanges(before, after, plugin)
    if (changes.length > 0) {
      const columns = { settings: JSON.stringify(after), updated_at: now() }
      await updateConfig(tx, caller.projectId, id, columns)
      await logConfig(tx, caller, id, plugin, { activity: 'migrated', changes })
    }
    return { plugin_version: plugin.version, changes }
  })
}

/**
 * The settings in the shape that the installed version describes: what it does not know is dropped, what is missing
 * gets its default, and what is of another type is converted. A secret is never dropped for its value.
 */
export const migrateSettings = (settings: Settings, plugin: Plugin): Settings =>
  Object.fromEntries(
    settingsOf(plugin)
      .map((setting) => [setting.key, migrateValue(setting, ownValue(settings, setting.key))])
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
