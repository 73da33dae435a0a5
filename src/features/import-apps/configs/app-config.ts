import type { Plugin } from '../plugins/schema.ts'
import { getOwn, isEmpty, listSettings, type Setting, type Settings } from './setting-rules.ts'

export interface AppConfig {
  /** With the real secrets, and defaults where nothing is set. */
  readonly config: Settings
  /** Every text that must not be seen in what the app says. */
  readonly secrets: readonly string[]
}

/** What the app is given. */
export function toAppConfig(plugin: Plugin, settings: Settings): AppConfig {
  const known = listSettings(plugin)
  const open = new Set(known.filter(({ secret }) => !secret).map(({ key }) => key))
  const config = withDefaults(settings, known)
  const hidden = Object.entries(config).filter(([key]) => !open.has(key))
  return { config, secrets: [...new Set(hidden.flatMap(([, value]) => textsIn(value)))] }
}

const withDefaults = (settings: Settings, known: readonly Setting[]): Settings =>
  Object.fromEntries([
    ...known.flatMap(({ key, default: byDefault }) =>
      byDefault === undefined || byDefault === null ? [] : [[key, byDefault]],
    ),
    ...Object.entries(settings),
  ])

/** Every text in it, and as JSON writes it: an app may print the one or the other. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string')
    return value === '' ? [] : [value, JSON.stringify(value).slice(1, -1)]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

/** The keys of what the app cannot do without and does not have. `attachments` holds those that are there, by key. */
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

/** All pairs must match; one without a value asks only that something is set. */
const matches = (pairs: readonly (readonly unknown[])[], config: Settings): boolean =>
  pairs.every(([key, ...wanted]) => {
    const value = getOwn(config, String(key))
    return wanted.length === 0 ? !isEmpty(value) : value === wanted[0]
  })

export const toMissingMessage = (keys: readonly string[]): string =>
  keys.length > 0 ? `Required settings are missing: ${keys.join(', ')}.` : ''
