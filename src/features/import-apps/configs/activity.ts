import type { Caller } from '#server/access/guard.ts'
import type { Tx } from '#server/db/schema.ts'
import {
  changesBetween,
  insertActivity,
  type NewActivity,
} from '#server/features/activity/store.ts'
import type { Plugin } from '../plugins/schema.ts'
import { settingChanges } from './setting-rules.ts'
import type { ConfigRow, ConfigWithSettings } from './store.ts'

type Entry = Pick<NewActivity, 'activity' | 'changes' | 'trigger'>

export const logConfigActivity = (
  tx: Tx,
  { projectId, userId }: Caller,
  configId: number,
  plugin: Plugin | undefined,
  entry: Entry,
): Promise<void> =>
  insertActivity(tx, {
    projectId,
    userId,
    scope: 'PluginConfig',
    itemId: configId,
    name: plugin?.name ?? '',
    ...entry,
  })

/** Everything that differs between two states of a config, each kind as an entry of its own. */
export function toActivityEntries(
  before: ConfigWithSettings,
  after: ConfigWithSettings,
  pluginBefore: Plugin | undefined,
): Entry[] {
  const fields = changesBetween('Plugin', loggedFields(before), loggedFields(after))
  const settings = settingChanges(before.settings, after.settings, pluginBefore)
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
