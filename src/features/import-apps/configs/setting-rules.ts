import { isDeepStrictEqual } from 'node:util'
import { type ApiError, conflict, invalid } from '#server/errors.ts'
import type { Change } from '#server/features/activity/schema.ts'
import { toChange } from '#server/features/activity/store.ts'
import { requireStorable } from '#server/http/json-body.ts'
import type { ConfigField, Plugin } from '../plugins/schema.ts'

/** By key. Keys come from callers, so one may be `__proto__`: only own properties count. */
export type Settings = Readonly<Record<string, unknown>>
export type Setting = ConfigField & { readonly key: string }

/** Stands for a secret that is there. Sent back, it leaves the secret as it is. */
export const SECRET_MASK = '****************'

export const listSettings = (plugin: Plugin | undefined): Setting[] =>
  (plugin?.config_schema ?? []).filter((field): field is Setting => field.key !== undefined)

export const noSettings = (pluginId: number): ApiError =>
  conflict(`Plugin ${pluginId} is not installed: it has no settings.`)

export const getOwn = (settings: Settings, key: string): unknown =>
  Object.hasOwn(settings, key) ? settings[key] : undefined

/** What the app's schema describes and nothing else: of anything else nobody knows whether it is a secret. */
export const visibleSettings = (settings: Settings, plugin: Plugin | undefined): Settings =>
  Object.fromEntries(
    listSettings(plugin)
      .filter(({ key }) => Object.hasOwn(settings, key))
      .map(({ key, secret }) => [key, secret ? mask(settings[key]) : settings[key]]),
  )

const mask = (value: unknown): unknown => (isEmpty(value) ? value : SECRET_MASK)

export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === ''

/** What differs, fit to be shown: `plugin` is the one that described `before`. */
export function settingChanges(
  before: Settings,
  after: Settings,
  plugin: Plugin | undefined,
): Change[] {
  const open = new Set(
    listSettings(plugin)
      .filter(({ secret }) => !secret)
      .map(({ key }) => key),
  )
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !isDeepStrictEqual(getOwn(before, key), getOwn(after, key)))
    .map((key) => {
      const values = [getOwn(before, key), getOwn(after, key)] as const
      return open.has(key)
        ? toChange('Plugin', key, ...values)
        : toChange('PluginConfig', key, mask(values[0]), mask(values[1]))
    })
}

/** Whether it is described, and not as a secret. */
export const isPublicSetting = (key: string, plugin: Plugin | undefined): boolean =>
  listSettings(plugin).some((setting) => setting.key === key && !setting.secret)

/** Another app does not inherit secrets: they were given to this one. */
export const withoutSecrets = (settings: Settings, plugin: Plugin | undefined): Settings =>
  Object.fromEntries(
    listSettings(plugin)
      .filter(({ key, secret }) => !secret && Object.hasOwn(settings, key))
      .map(({ key }) => [key, settings[key]]),
  )

/** Throws at the first value that breaks the app's schema. */
export function mergeSettings(current: Settings, sent: Settings, plugin: Plugin): Settings {
  const merged = new Map(Object.entries(current))
  for (const [key, value] of Object.entries(sent)) {
    const setting = requireKnown(key, plugin)
    if (setting.type === 'attachment') throw refuseFile(key)
    if (keepsSecret(setting, value)) continue
    requireKept(setting, value)
    if (value === null || (value === '' && setting.secret)) merged.delete(key)
    else merged.set(key, toSettingValue(setting, value))
  }
  return Object.fromEntries(merged)
}

/**
 * As a form means it: what it does not hold is gone, but for secrets, which it cannot hold. A file's entry is what
 * was shown of the file, and changes nothing.
 */
export function replaceSettings(current: Settings, sent: Settings, plugin: Plugin): Settings {
  const secrets = listSettings(plugin).filter(
    ({ key, secret }) => secret && Object.hasOwn(current, key),
  )
  const kept = secrets.map(({ key }) => [key, current[key]])
  const texts = Object.entries(sent).filter(
    ([key]) => requireKnown(key, plugin).type !== 'attachment',
  )
  return mergeSettings(Object.fromEntries(kept), Object.fromEntries(texts), plugin)
}

/** Throws at the first value that breaks the app's schema: of what is not there, nothing is asked. */
export function requireSettings(settings: Settings, plugin: Plugin): void {
  for (const [key, value] of Object.entries(settings)) {
    toSettingValue(requireKnown(key, plugin), value)
  }
}

function requireKnown(key: string, plugin: Plugin): Setting {
  const setting = listSettings(plugin).find((known) => known.key === key)
  if (!setting) throw invalid(key, 'Unknown setting.')
  return setting
}

const refuseFile = (key: string): ApiError =>
  invalid(key, `This is a file. Send it with PUT to attachments/${key}, or in a form.`)

const keepsSecret = ({ secret }: Setting, value: unknown): boolean =>
  secret === true && (value === null || value === SECRET_MASK)

/** A form may be half filled, but what is required does not go again. */
function requireKept({ key, required }: Setting, value: unknown): void {
  if (!required) return
  if (value === null) throw invalid(key, 'This field may not be null.', 'null')
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

/** Forms send JSON as the text that was typed. */
function requireJson(key: string, text: string): unknown {
  const value = parseStorable(text)
  if (value === undefined) throw invalid(key, 'Not valid JSON.')
  return value
}

/** undefined: it is no JSON that a body could have held. */
export function parseStorable(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    requireStorable(value)
    return value
  } catch {
    return undefined
  }
}
