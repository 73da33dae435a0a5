import type { Caller } from '#server/access/guard.ts'
import type { Tx } from '#server/db/schema.ts'
import { insertActivity, type NewActivity } from '#server/features/activity/store.ts'
import type { Plugin } from './plugins/schema.ts'

export type ConfigActivity = Pick<NewActivity, 'activity' | 'changes' | 'trigger'>

export interface LoggedConfig {
  readonly configId: number
  readonly plugin: Plugin | undefined
}

export const logConfigActivity = (
  tx: Tx,
  { projectId, userId }: Caller,
  { configId, plugin }: LoggedConfig,
  activity: ConfigActivity,
): Promise<void> =>
  insertActivity(tx, {
    projectId,
    userId,
    scope: 'PluginConfig',
    itemId: configId,
    name: plugin?.name ?? '',
    ...activity,
  })
