import { changesBetween } from '#server/features/activity/store.ts'
import type { ConfigActivity } from '../config-activity.ts'
import type { Plugin } from '../plugins/schema.ts'
import { listSettingChanges } from '../setting-rules.ts'
import type { ConfigRow, ConfigWithSettings } from './store.ts'

/** Compares two states of a config. Returns one entry each for fields, settings and every state change. */
export function toActivityEntries(
  before: ConfigWithSettings,
  after: ConfigWithSettings,
  pluginBefore: Plugin | undefined,
): ConfigActivity[] {
  const fields = changesBetween('Plugin', loggedFields(before), loggedFields(after))
  const settings = listSettingChanges(before.settings, after.settings, pluginBefore)
  return [
    ...(fields.length > 0 ? [{ activity: 'updated', changes: fields }] : []),
    ...(settings.length > 0 ? [{ activity: 'config_updated', changes: settings }] : []),
    ...stateChanges(before, after).map((activity) => ({ activity, changes: [] })),
  ]
}

const loggedFields = ({ plugin_id, position, name, description }: ConfigRow) => ({
  plugin: plugin_id,
  order: position,
  name: name ?? '',
  description: description ?? '',
})

type State = Pick<ConfigRow, 'enabled' | 'deleted'>

function stateChanges(before: State, after: State): string[] {
  const changes: string[] = []
  if (before.deleted > after.deleted) changes.push('restored')
  if (before.enabled < after.enabled) changes.push('enabled')
  if (before.enabled > after.enabled) changes.push('disabled')
  if (before.deleted < after.deleted) changes.push('deleted')
  return changes
}
