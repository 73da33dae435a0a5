import type { Caller } from '../../access/guard.ts'
import { ADMIN_LEVEL } from '../../access/keys.ts'
import { changeProject } from '../../db/change.ts'
import type { Db } from '../../db/schema.ts'
import { now, uuid } from '../../db/values.ts'
import { conflict } from '../../errors.ts'
import { findPlugin } from '../plugins/store.ts'
import { toTask } from './job-rules.ts'
import { logConfig } from './log.ts'
import { getConfigRow } from './pipeline-configs.ts'
import { notInstalled } from './representation.ts'
import { insertRun } from './run-store.ts'
import type { Job, Run } from './schema.ts'

const NOT_EXECUTED = 'This version records runs and does not execute them yet.'

/** Queues a run. No code of an app runs in a request. */
export function triggerJob(db: Db, caller: Caller, id: number, job: Job | undefined): Promise<Run> {
  const { projectId, userId, level } = caller
  return changeProject(db, projectId, async (tx) => {
    const config = await getConfigRow(tx, projectId, id)
    if (config.deleted) throw conflict('This config is in the trash. Restore it to run a job.')
    const plugin = await findPlugin(tx, config.plugin_id)
    const { kind, name, payload, operation } = toTask(plugin, job, level >= ADMIN_LEVEL)
    const reason = plugin ? 'Waiting for a worker.' : notInstalled(config.plugin_id)
    const run = await insertRun(tx, {
      id: uuid(),
      project_id: projectId,
      config_id: id,
      kind,
      name,
      payload: JSON.stringify(payload),
      operation,
      state: 'queued',
      message: `${reason} ${NOT_EXECUTED}`,
      created_by: userId,
      created_at: now(),
    })
    const trigger = { job_type: name, job_id: run.id, payload }
    await logConfig(tx, caller, id, plugin, { activity: 'job_triggered', trigger })
    return run
  })
}
