import type { Caller } from '../../access/guard.ts'
import { changeProject } from '../../db/change.ts'
import type { Db } from '../../db/schema.ts'
import { now } from '../../db/values.ts'
import type { Slice, Window } from '../../db/window.ts'
import { conflict, notFound } from '../../errors.ts'
import { toUuid } from '../../http/ids.ts'
import type { Wake } from '../../jobs/wake.ts'
import { logConfig } from '../pipeline-configs/log.ts'
import { getConfigRow } from '../pipeline-configs/pipeline-configs.ts'
import { findPlugin } from '../plugins/store.ts'
import type { Run } from './schema.ts'
import { findRunRow, listRuns, queueRun, type RunRow, toRun } from './store.ts'

export async function listRunsOf(
  db: Db,
  projectId: number,
  configId: number,
  window: Window,
): Promise<Slice<Run>> {
  await getConfigRow(db, projectId, configId)
  return listRuns(db, projectId, configId, window)
}

export async function getRun(
  db: Db,
  projectId: number,
  configId: number,
  runId: string,
): Promise<Run> {
  return toRun(await getRunRow(db, projectId, configId, runId))
}

async function getRunRow(
  db: Db,
  projectId: number,
  configId: number,
  runId: string,
): Promise<RunRow> {
  const id = toUuid(runId)
  const row = id && (await findRunRow(db, projectId, configId, id))
  if (!row) throw notFound()
  return row
}

/** What waits is cancelled at once; what runs is told to end, and is cancelled when it has. */
export async function cancelRun(
  db: Db,
  wake: Wake,
  caller: Caller,
  configId: number,
  runId: string,
): Promise<Run> {
  const { projectId } = caller
  const run = await changeProject(db, projectId, async (tx) => {
    const row = await getRunRow(tx, projectId, configId, runId)
    if (row.state !== 'queued' && row.state !== 'running') {
      throw conflict(
        `This run has already ${row.state === 'cancelled' ? 'been ' : ''}${row.state}.`,
      )
    }
    const columns =
      row.state === 'queued'
        ? { state: 'cancelled' as const, message: 'Cancelled before it ran.', finished_at: now() }
        : { cancel_requested: 1 as const }
    const cancelled = await tx
      .updateTable('runs')
      .set(columns)
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await logRun(tx, caller, row, 'job_cancelled')
    return toRun(cancelled)
  })
  wake.wake()
  return run
}

/** The same again, as a run of its own. */
export async function retryRun(
  db: Db,
  wake: Wake,
  caller: Caller,
  configId: number,
  runId: string,
): Promise<Run> {
  const { projectId } = caller
  const run = await changeProject(db, projectId, async (tx) => {
    const row = await getRunRow(tx, projectId, configId, runId)
    if (row.state === 'queued' || row.state === 'running') {
      throw conflict(`This run is still ${row.state}.`)
    }
    const config = await getConfigRow(tx, projectId, configId)
    if (config.deleted) throw conflict('This config is in the trash. Restore it to run a job.')
    const again = await queueRun(tx, {
      project_id: projectId,
      config_id: configId,
      kind: row.kind,
      name: row.name,
      payload: JSON.parse(row.payload) ?? undefined,
      operation: row.operation,
      message: 'Waiting for a worker.',
      created_by: caller.userId,
      retry_of: row.id,
    })
    await logRun(tx, caller, { ...row, id: again.id }, 'job_triggered')
    return again
  })
  wake.wake()
  return run
}

async function logRun(
  tx: Parameters<typeof logConfig>[0],
  caller: Caller,
  row: RunRow,
  activity: string,
): Promise<void> {
  const config = await getConfigRow(tx, caller.projectId, row.config_id)
  const plugin = await findPlugin(tx, config.plugin_id)
  const payload = JSON.parse(row.payload) ?? {}
  const trigger = { job_type: row.name, job_id: row.id, payload }
  await logConfig(tx, caller, row.config_id, plugin, { activity, trigger })
}
