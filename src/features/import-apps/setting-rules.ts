import { isDeepStrictEqual } from 'node:util'
import { isObject } from '#model/json.ts'
import { type ApiError, conflict, invalid, mayNotBeNull } from '#server/errors.ts'
import type { Change } from '#server/features/activity/schema.ts'
import { toChange } from '#server/features/activity/store.ts'
import { requireStorable } from '#server/http/json-body.ts'
import type { ConfigField, Plugin } from './plugins/schema.ts'

/** Values by key. Callers choose the keys, and one may be `__proto__`, so read only own properties. */
export type Settings = Readonly<Record<string, unknown>>
export type Setting = ConfigField & { readonly key: string }

/** Replaces a secret in responses. A caller that sends it back leaves the secret unchanged. */
export const SECRET_MASK = '****************'

export const listSettings = (plugin: Plugin | undefined): Setting[] =>
  (plugin?.config_schema ?? []).filter((field): field is Setting => field.key !== undefined)

const listPublicSettings = (plugin: Plugin | undefined): Setting[] =>
  listSettings(plugin).filter(({ secret }) => !secret)

export const settingsUnavailable = (pluginId: number): ApiError =>
  conflict(`Plugin ${pluginId} is not installed: it has no settings.`)

export const getOwn = (settings: Settings, key: string): unknown =>
  Object.hasOwn(settings, key) ? settings[key] : undefined

/** Returns only the settings that the app's schema describes: others might be secrets. */
export const visibleSettings = (settings: Settings, plugin: Plugin | undefined): Settings =>
  Object.fromEntries(
    listSettings(plugin)
      .filter(({ key }) => Object.hasOwn(settings, key))
      .map(({ key, secret }) => [key, secret ? mask(settings[key]) : settings[key]]),
  )

const mask = (value: unknown): unknown => (isEmpty(value) ? value : SECRET_MASK)

export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === ''

/** Lists the changed settings with secrets masked. `plugin` is the app that `before` belongs to. */
export function listSettingChanges(
  before: Settings,
  after: Settings,
  plugin: Plugin | undefined,
): Change[] {
  const publicKeys = new Set(listPublicSettings(plugin).map(({ key }) => key))
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !isDeepStrictEqual(getOwn(before, key), getOwn(after, key)))
    .map((key) => {
      const values = [getOwn(before, key), getOwn(after, key)] as const
      return publicKeys.has(key)
        ? toChange('Plugin', key, ...values)
        : toChange('PluginConfig', key, mask(values[0]), mask(values[1]))
    })
}

/** Tells whether the app's schema describes the setting, and not as a secret. */
export const isPublicSetting = (key: string, plugin: Plugin | undefined): boolean =>
  listPublicSettings(plugin).some((setting) => setting.key === key)

/** Removes the secrets before a config changes to another app, for which they were not meant. */
export const withoutSecrets = (settings: Settings, plugin: Plugin | undefined): Settings =>
  Object.fromEntries(
    listPublicSettings(plugin)
      .filter(({ key }) => Object.hasOwn(settings, key))
      .map(({ key }) => [key, settings[key]]),
  )

/** Applies a patch. Throws at the first value that violates the app's schema. */
export function mergeSettings(current: Settings, sent: Settings, plugin: Plugin): Settings {
  const merged = new Map(Object.entries(current))
  for (const [key, value] of Object.entries(sent)) {
    const setting = requireSetting(key, plugin)
    if (setting.type === 'attachment') throw fileExpected(key)
    if (leavesSecret(setting, value)) continue
    requireNotCleared(setting, value)
    if (value === null || (value === '' && setting.secret)) merged.delete(key)
    else merged.set(key, toSettingValue(setting, value))
  }
  return Object.fromEntries(merged)
}

/**
 * Applies all settings of a request: the missing ones are deleted, except for those that responses do not show, which
 * are secrets and settings that the app's schema does not describe. Entries of files are ignored.
 */
export function replaceSettings(current: Settings, sent: Settings, plugin: Plugin): Settings {
  const kept = Object.entries(current).filter(([key]) => !isPublicSetting(key, plugin))
  const texts = Object.entries(sent).filter(
    ([key]) => requireSetting(key, plugin).type !== 'attachment',
  )
  return mergeSettings(Object.fromEntries(kept), Object.fromEntries(texts), plugin)
}

/** Throws at the first value that violates the app's schema. Missing settings are allowed. */
export function requireSettings(settings: Settings, plugin: Plugin): void {
  for (const [key, value] of Object.entries(settings)) {
    toSettingValue(requireSetting(key, plugin), value)
  }
}

function requireSetting(key: string, plugin: Plugin): Setting {
  const setting = listSettings(plugin).find((known) => known.key === key)
  if (!setting) throw invalid(key, 'Unknown setting.')
  return setting
}

const fileExpected = (key: string): ApiError =>
  invalid(key, `This is a file. Send it with PUT to attachments/${key}, or in a form.`)

/** Returns whether the value stands for the stored secret, which a caller cannot see. */
export const leavesSecret = ({ secret }: Setting, value: unknown): boolean =>
  secret === true && (value === null || value === SECRET_MASK)

/** A required setting may be missing at first, but cannot be cleared once it is set. */
function requireNotCleared({ key, required }: Setting, value: unknown): void {
  if (!required) return
  if (value === null) throw mayNotBeNull(key)
  if (value === '') throw invalid(key, 'This field may not be blank.', 'blank')
}

function toSettingValue({ key, type, choices = [] }: Setting, value: unknown): unknown {
  if (type === 'json') return typeof value === 'string' ? requireJson(key, value) : value
  if (typeof value !== 'string') throw invalid(key, 'Not a valid string.')
  if (type === 'choice' && !choices.includes(value)) {
    const detail = `"${value.slice(0, 200)}" is not a valid choice. Choose one of: ${choices.join(', ')}.`
    throw invalid(key, detail, 'invalid_choice')
  }
  return value
}

/** Forms send JSON settings as text. */
function requireJson(key: string, text: string): unknown {
  const value = parseStorable(text)
  if (value === undefined) throw invalid(key, 'Not valid JSON.')
  return value
}

/** Parses the field `config`: an object of settings, or its JSON text. */
export function parseSettings(config: string | Settings): Settings {
  const value = typeof config === 'string' ? parseStorable(config) : config
  if (value === undefined) throw invalid('config', 'Not valid JSON.')
  if (!isObject(value)) {
    throw invalid('config', 'Expected a dictionary of settings.', 'not_a_dict')
  }
  return value
}

/** Returns undefined if the text is not JSON, or JSON that a request body could not hold. */
export function parseStorable(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    requireStorable(value)
    return value
  } catch {
    return undefined
  }
}
