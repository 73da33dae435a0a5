import type { Caller } from '#server/access/guard.ts'
import { ADMIN_LEVEL } from '#server/access/keys.ts'
import type { Db } from '#server/db/schema.ts'
import type { WakeUps } from '#server/wake/wake-ups.ts'
import { logConfigActivity } from '../configs/activity.ts'
import { getConfigRow } from '../configs/configs.ts'
import { toNotInstalledMessage } from '../configs/representation.ts'
import { findPlugin } from '../plugins/store.ts'
import { resolveJob } from './job-rules.ts'
import { changeProjectAndNotify, requireNotTrashed } from './runs.ts'
import type { Job, Run } from './schema.ts'
import { queueRun } from './store.ts'

/** Queues a run. No code of an app runs in a request. */
export function triggerJob(
  db: Db,
  wakeUps: WakeUps,
  caller: Caller,
  id: number,
  job: Job | undefined,
): Promise<Run> {
  const { projectId, userId, level } = caller
  return changeProjectAndNotify(db, wakeUps, projectId, async (tx) => {
    const config = await getConfigRow(tx, projectId, id)
    requireNotTrashed(config)
    const plugin = await findPlugin(tx, config.plugin_id)
    const { kind, name, payload, operation } = resolveJob(plugin, job, level >= ADMIN_LEVEL)
    const queued = await queueRun(tx, {
      project_id: projectId,
      config_id: id,
      kind,
      name,
      payload,
      operation,
      ...(!plugin && { message: toNotInstalledMessage(config.plugin_id) }),
      created_by: userId,
    })
    const trigger = { job_type: name, job_id: queued.id, payload }
    await logConfigActivity(tx, caller, id, plugin, { activity: 'job_triggered', trigger })
    return queued
  })
}
