import type { Change } from '#server/features/activity/schema.ts'
import { changesBetween } from '#server/features/activity/store.ts'
import type { Plugin } from '../plugins/schema.ts'
import { listSettingChanges } from '../setting-rules.ts'
import type { ConfigRow, ConfigWithSettings } from './store.ts'

type ActivityEntry = readonly [activity: string, changes?: Change[]]

/** Compares two states of a config. Returns one entry each for fields, settings and every state change. */
export function toActivityEntries(
  before: ConfigWithSettings,
  after: ConfigWithSettings,
  pluginBefore: Plugin | undefined,
): ActivityEntry[] {
  const fields = changesBetween('Plugin', loggedFields(before), loggedFields(after))
  const settings = listSettingChanges(before.settings, after.settings, pluginBefore)
  const entries: ActivityEntry[] = []
  if (fields.length > 0) entries.push(['updated', fields])
  if (settings.length > 0) entries.push(['config_updated', settings])
  if (before.deleted > after.deleted) entries.push(['restored'])
  if (before.enabled < after.enabled) entries.push(['enabled'])
  if (before.enabled > after.enabled) entries.push(['disabled'])
  if (before.deleted < after.deleted) entries.push(['deleted'])
  return entries
}

const loggedFields = ({ plugin_id, position, name, description }: ConfigRow) => ({
  plugin: plugin_id,
  order: position,
  name: name ?? '',
  description: description ?? '',
})
