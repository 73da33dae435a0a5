import { isDeepStrictEqual } from 'node:util'
import { listDestinationKeys } from '#model/destination.ts'
import { ADMIN_LEVEL } from '#server/access/keys.ts'
import { ApiError } from '#server/errors.ts'
import type { Plugin } from '../plugins/schema.ts'
import {
  getOwn,
  isEmpty,
  leavesSecret,
  listSettings,
  type Setting,
  type Settings,
} from '../setting-rules.ts'

/** A change of a config's settings and files. Files are named by their keys. */
export interface ContentChange {
  readonly before: Settings
  readonly after: Settings
  /** The settings in the request. */
  readonly sent: Settings
  readonly attached: readonly string[]
  readonly uploads: readonly string[]
  readonly removals: readonly string[]
}

/**
 * Keeps secrets where they were sent: if the destination changes, every secret must be in the same request. Returns the
 * settings to store and the files to remove, without values that the app's schema does not describe: they may be
 * secrets, which nobody can enter again.
 */
export function applyDestinationRule(
  plugin: Plugin | undefined,
  level: number,
  change: ContentChange,
): Pick<ContentChange, 'removals'> & { readonly settings: Settings } {
  const { after, attached, uploads, removals } = change
  const known = listSettings(plugin)
  const destination = new Set(listDestinationKeys(known, level >= ADMIN_LEVEL))
  const moved = known.filter(({ key }) => destination.has(key)).filter((s) => isChanged(s, change))
  if (moved.length === 0) return { settings: after, removals }
  const kept = known.filter((setting) => setting.secret && isKept(setting, change))
  if (kept.length > 0) throw secretsRequired(moved, kept, uploads.length + removals.length > 0)
  const described = new Set(known.map(({ key, type }) => `${key} ${type === 'attachment'}`))
  return {
    settings: Object.fromEntries(
      Object.entries(after).filter(([key]) => described.has(`${key} false`)),
    ),
    removals: [...removals, ...attached.filter((key) => !described.has(`${key} true`))],
  }
}

function isChanged(setting: Setting, change: ContentChange): boolean {
  const { key, type } = setting
  if (type === 'attachment') return isFileChanged(key, change)
  const before = toEffective(setting, change.before)
  const after = toEffective(setting, change.after)
  return !(isEmpty(before) && isEmpty(after)) && !isDeepStrictEqual(before, after)
}

const isFileChanged = (key: string, { attached, uploads, removals }: ContentChange): boolean =>
  uploads.includes(key) || (removals.includes(key) && attached.includes(key))

const toEffective = ({ key, default: defaultValue }: Setting, settings: Settings): unknown =>
  getOwn(settings, key) ?? defaultValue

/** Tells whether a stored secret would be kept without being entered again. */
function isKept(setting: Setting, change: ContentChange): boolean {
  const { key, type } = setting
  if (type === 'attachment') return change.attached.includes(key) && !isFileChanged(key, change)
  if (isEmpty(getOwn(change.before, key))) return false
  return !Object.hasOwn(change.sent, key) || leavesSecret(setting, change.sent[key])
}

function secretsRequired(
  moved: readonly Setting[],
  kept: readonly Setting[],
  hasFiles: boolean,
): ApiError {
  const needsForm = hasFiles || kept.some(({ type }) => type === 'attachment')
  const how = needsForm ? 'in one form, with PATCH of the config' : 'in the same request'
  const toKeys = (settings: readonly Setting[]) => settings.map(({ key }) => key).join(', ')
  const detail = `A change of ${toKeys(moved)} may send secrets elsewhere. Enter these again ${how}: ${toKeys(kept)}.`
  return new ApiError('secrets_required', detail, kept[0]?.key)
}
