import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { Tx } from '#server/db/schema.ts'
import { laterThan, now } from '#server/db/values.ts'
import { makeAlertsDue } from '../alerts-due.ts'
import { applyAttachmentChanges } from '../attachments/apply.ts'
import { deleteDetached, listAttachmentRows } from '../attachments/store.ts'
import { configLog } from '../config-activity.ts'
import type { Plugin } from '../plugins/schema.ts'
import { findPlugin } from '../plugins/store.ts'
import { deleteTicks } from '../queue/schedule-store.ts'
import { queueSetUp } from '../queue/set-ups.ts'
import { APP_CHANGED, cancelQueuedRuns } from '../queue/store.ts'
import { getConfigWithSettings } from './configs.ts'
import { type FormContent, NO_FORM, planPatch } from './plan-patch.ts'
import { toConfig } from './representation.ts'
import type { PipelineConfig, PipelineConfigPatch } from './schema.ts'
import {
  type ConfigDeps,
  type ConfigWithSettings,
  updateConfig,
  updateConfigCounts,
} from './store.ts'

export interface ConfigChange {
  readonly id: number
  readonly patch?: PipelineConfigPatch
  readonly form?: FormContent
}

export const patchConfig = (
  deps: ConfigDeps,
  caller: Caller,
  change: ConfigChange,
): Promise<PipelineConfig> => changeConfig(deps, caller, change, (row, _, tx) => toConfig(tx, row))

/** Changes the fields, the settings and the files of a config, and returns what `represent` makes of it. */
export async function changeConfig<T>(
  { db, secrets }: ConfigDeps,
  caller: Caller,
  { id, patch = {}, form = NO_FORM }: ConfigChange,
  represent: (row: ConfigWithSettings, plugin: Plugin | undefined, tx: Tx) => T | Promise<T>,
): Promise<T> {
  const { projectId, level } = caller
  const { result, detached } = await changeProject(db, projectId, async (tx) => {
    const before = await getConfigWithSettings({ db: tx, secrets }, projectId, id)
    const plugin = await findPlugin(tx, before.plugin_id)
    const next = patch.plugin === undefined ? plugin : await findPlugin(tx, patch.plugin)
    const attached = (await listAttachmentRows(tx, [id])).map(({ key }) => key)
    const plan = planPatch(before, patch, form, { plugin, next, attached, level })
    const { columns, removals, entries, effects } = plan
    if (!effects.isChanged) return { result: await represent(before, next, tx), detached: [] }
    const row = await updateConfig({ db: tx, secrets }, before, {
      ...columns,
      updated_at: laterThan(before.updated_at),
      scheduled_from: effects.isRescheduled ? now() : before.scheduled_from,
    })
    if (effects.isRescheduled) await deleteTicks(tx, id)
    await makeAlertsDue(tx, id)
    if (effects.hasOtherApp) await cancelQueuedRuns(tx, id, APP_CHANGED)
    const { trashed } = effects
    if (trashed !== 0) await updateConfigCounts(tx, projectId, { live: -trashed, trashed })
    const logged = { configId: id, plugin: next }
    for (const entry of entries) await configLog.logActivity(tx, caller, logged, ...entry)
    const detached = await applyAttachmentChanges(tx, caller, logged, { ...form, removals })
    if (effects.needsSetUp) await queueSetUp(tx, row, next)
    return { result: await represent(row, next, tx), detached }
  })
  await deleteDetached(db, detached)
  return result
}
