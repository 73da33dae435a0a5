import { isDeepStrictEqual } from 'node:util'
import { flag } from '#server/db/values.ts'
import { conflict } from '#server/errors.ts'
import type { AttachmentChanges } from '../attachments/apply.ts'
import type { Plugin } from '../plugins/schema.ts'
import {
  isPublicSetting,
  mergeSettings,
  replaceSettings,
  type Settings,
  settingsUnavailable,
  withoutSecrets,
} from '../setting-rules.ts'
import { toActivityEntries } from './activity.ts'
import { applyDestinationRule } from './destination.ts'
import type { PipelineConfigPatch } from './schema.ts'
import type { ConfigRow, ConfigWithSettings } from './store.ts'

/** The settings and files of a request. A JSON body has no files. */
export interface FormContent extends AttachmentChanges {
  readonly settings?: Settings | undefined
  /** Whether stored settings stay that are not sent. */
  readonly isPartial?: boolean
}

export const NO_FORM: FormContent = { uploads: [], removals: [] }

/** The facts that decide about a patch, besides the config. */
export interface PatchContext {
  readonly plugin: Plugin | undefined
  /** The app after the patch. */
  readonly next: Plugin | undefined
  /** The keys of the files that the config has. */
  readonly attached: readonly string[]
  /** The caller's level. */
  readonly level: number
}

/** Plans what a patch writes, which files it removes, what it logs and what follows. Throws if it is not allowed. */
export function planPatch(
  before: ConfigWithSettings,
  patch: PipelineConfigPatch,
  form: FormContent,
  { plugin, next, attached, level }: PatchContext,
) {
  const { plugin: plugin_id = before.plugin_id, order: position = before.position } = patch
  const hasOtherApp = plugin_id !== before.plugin_id
  const kept = hasOtherApp ? withoutSecrets(before.settings, plugin) : before.settings
  const after = nextSettings(kept, form, next, plugin_id)
  const state = nextState(before, patch)
  const { settings, removals } = hasOtherApp
    ? { settings: after, removals: [...form.removals, ...listPrivate(attached, plugin)] }
    : applyDestinationRule(plugin, level, {
        before: before.settings,
        after,
        sent: form.settings ?? {},
        attached,
        uploads: form.uploads.map(({ key }) => key),
        removals: form.removals,
      })
  const name = nextText(patch.name, before.name, plugin?.name)
  const description = nextText(patch.description, before.description, plugin?.description)
  const schedule = hasOtherApp ? OF_OTHER_APP : {}
  const columns = { plugin_id, position, name, description, settings, ...state, ...schedule }
  const entries = toActivityEntries(before, { ...before, ...columns }, plugin)
  const hasFiles = form.uploads.length + removals.length > 0
  const isRescheduled = hasOtherApp || state.enabled > before.enabled
  const effects = {
    isChanged: hasFiles || entries.length > 0,
    hasOtherApp,
    isRescheduled,
    needsSetUp: isRescheduled || hasFiles || !isDeepStrictEqual(settings, before.settings),
    /** 1 into the trash, -1 out of it. */
    trashed: state.deleted - before.deleted,
  }
  return { columns, removals, entries, effects }
}

/** The columns that belong to the jobs and the events of an app. */
const OF_OTHER_APP = { schedule: null, expected_every: null, retry: null, event_shape: null }

/** Lists files that another app must not inherit, for the same reason as secrets. */
const listPrivate = (attached: readonly string[], plugin: Plugin | undefined): string[] =>
  attached.filter((key) => !isPublicSetting(key, plugin))

/** Keeps the text if it is sent back as responses show it, where the app's own stands in for an empty one. */
function nextText(
  sent: string | null | undefined,
  stored: string | null,
  own: string | undefined,
): string | null {
  return sent === undefined || sent === (stored || own || '') ? stored : sent
}

export function nextSettings(
  current: Settings,
  { settings, isPartial = false }: FormContent,
  plugin: Plugin | undefined,
  pluginId: number,
): Settings {
  if (settings === undefined) return current
  if (plugin) return (isPartial ? mergeSettings : replaceSettings)(current, settings, plugin)
  if (isPartial || Object.keys(settings).length > 0) throw settingsUnavailable(pluginId)
  return current
}

/** Disables a config that goes into the trash. It stays disabled when it is restored, unless `enabled` is sent too. */
function nextState(row: ConfigRow, { enabled, deleted }: PipelineConfigPatch) {
  const isTrashed = deleted === undefined ? row.deleted === 1 : deleted === true
  if (enabled && isTrashed && deleted === undefined) {
    throw conflict('This config is in the trash. Restore it with "deleted": false to enable it.')
  }
  return { deleted: flag(isTrashed), enabled: flag(!isTrashed && (enabled ?? row.enabled === 1)) }
}
