import { SET_UP, setsUpJobs } from '#model/app-limitation.ts'
import type { Tx } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import type { Plugin } from '../plugins/schema.ts'
import { hasQueuedSetUp, rememberTick } from './schedule-store.ts'
import { type NewRun, queueRun } from './store.ts'

export interface SetUpConfig {
  readonly id: number
  readonly project_id: number
  readonly plugin_id: number
}

/** Returns the run that calls `setupPlugin`, where an app can start jobs. */
export const toSetUpRun = ({ id, project_id, plugin_id }: SetUpConfig): NewRun => ({
  project_id,
  config_id: id,
  plugin_id,
  kind: 'schedule',
  name: SET_UP,
  payload: undefined,
  created_by: null,
})

/**
 * Queues a set-up after a config was enabled or its settings or files were changed, unless one already waits. The
 * scheduler queues the others: after an update of the app, and for configs that were enabled before it was installed.
 */
export async function queueSetUp(
  tx: Tx,
  config: SetUpConfig & { readonly enabled: number; readonly deleted: number },
  plugin: Plugin | undefined,
): Promise<void> {
  if (!plugin || !config.enabled || config.deleted || !setsUpJobs(plugin)) return
  await rememberTick(tx, config.id, SET_UP, now())
  if (!(await hasQueuedSetUp(tx, config.id))) await queueRun(tx, toSetUpRun(config))
}
