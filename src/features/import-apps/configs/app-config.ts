import type { Plugin } from '../plugins/schema.ts'
import { getOwn, isEmpty, listSettings, type Setting, type Settings } from '../setting-rules.ts'

export interface AppConfig {
  /** With plain secrets, and with defaults for missing settings. */
  readonly config: Settings
  /** Texts to mask in the app's output. */
  readonly secrets: readonly string[]
}

export function toAppConfig(plugin: Plugin, settings: Settings): AppConfig {
  const known = listSettings(plugin)
  const publicKeys = new Set(known.filter(({ secret }) => !secret).map(({ key }) => key))
  const config = withDefaults(settings, known)
  const secretEntries = Object.entries(config).filter(([key]) => !publicKeys.has(key))
  return { config, secrets: [...new Set(secretEntries.flatMap(([, value]) => listTexts(value)))] }
}

const withDefaults = (settings: Settings, known: readonly Setting[]): Settings =>
  Object.fromEntries([
    ...known.flatMap(({ key, default: defaultValue }) =>
      defaultValue === undefined || defaultValue === null ? [] : [[key, defaultValue]],
    ),
    ...Object.entries(settings),
  ])

/** Lists all strings in a value, plain and JSON-escaped: an app may print either. */
function listTexts(value: unknown): string[] {
  if (typeof value === 'string')
    return value === '' ? [] : [value, JSON.stringify(value).slice(1, -1)]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(listTexts)
}

/** Lists the keys of required settings that have no value. `attachments` holds the files by key. */
export function listMissingSettings(
  plugin: Plugin,
  settings: Settings,
  attachments: Readonly<Record<string, unknown>>,
): string[] {
  const known = listSettings(plugin)
  const config = { ...withDefaults(settings, known), ...attachments }
  return known.filter((setting) => isMissing(setting, config)).map(({ key }) => key)
}

function isMissing(setting: Setting, config: Settings): boolean {
  const { key, required = false, required_if, visible_if } = setting
  if (!isEmpty(getOwn(config, key))) return false
  if (visible_if && !matches(visible_if, config)) return false
  return required || (required_if !== undefined && matches(required_if, config))
}

/** Returns whether all conditions match: a key with the values of which it has one, or with none for any value. */
const matches = (conditions: readonly (readonly unknown[])[], config: Settings): boolean =>
  conditions.every(([key, ...expected]) => {
    const value = getOwn(config, String(key))
    return expected.length === 0 ? !isEmpty(value) : expected.includes(value)
  })

export const toMissingMessage = (keys: readonly string[]): string =>
  keys.length > 0 ? `Required settings are missing: ${keys.join(', ')}.` : ''
