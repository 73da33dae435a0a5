import type { Caller } from '#server/access/guard.ts'
import { ADMIN_LEVEL } from '#server/access/keys.ts'
import type { Db } from '#server/db/schema.ts'
import type { Wake } from '#server/wake/wake.ts'
import { getConfigRow } from '../configs/configs.ts'
import { logConfig } from '../configs/log.ts'
import { notInstalled } from '../configs/representation.ts'
import { findPlugin } from '../plugins/store.ts'
import { toTask } from './job-rules.ts'
import { changeAndWake, requireOutOfTrash } from './runs.ts'
import type { Job, Run } from './schema.ts'
import { queueRun } from './store.ts'

/** Queues a run. No code of an app runs in a request. */
export function triggerJob(
  db: Db,
  wake: Wake,
  caller: Caller,
  id: number,
  job: Job | undefined,
): Promise<Run> {
  const { projectId, userId, level } = caller
  return changeAndWake(db, wake, projectId, async (tx) => {
    const config = await getConfigRow(tx, projectId, id)
    requireOutOfTrash(config)
    const plugin = await findPlugin(tx, config.plugin_id)
    const { kind, name, payload, operation } = toTask(plugin, job, level >= ADMIN_LEVEL)
    const queued = await queueRun(tx, {
      project_id: projectId,
      config_id: id,
      kind,
      name,
      payload,
      operation,
      ...(!plugin && { message: notInstalled(config.plugin_id) }),
      created_by: userId,
    })
    const trigger = { job_type: name, job_id: queued.id, payload }
    await logConfig(tx, caller, id, plugin, { activity: 'job_triggered', trigger })
    return queued
  })
}
