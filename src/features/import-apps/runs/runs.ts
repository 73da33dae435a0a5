import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import type { Slice, Window } from '#server/db/window.ts'
import { conflict, notFound } from '#server/errors.ts'
import { toUuid } from '#server/http/ids.ts'
import type { WakeUps } from '#server/wake/wake-ups.ts'
import { logConfigActivity } from '../configs/activity.ts'
import { getConfigRow } from '../configs/configs.ts'
import type { ConfigRow } from '../configs/store.ts'
import { findPlugin } from '../plugins/store.ts'
import type { Run } from './schema.ts'
import { findRunRow, listRuns, queueRun, type RunRow, toRun } from './store.ts'

export async function listConfigRuns(
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
export function cancelRun(
  db: Db,
  wakeUps: WakeUps,
  caller: Caller,
  configId: number,
  runId: string,
): Promise<Run> {
  const { projectId } = caller
  return changeProjectAndNotify(db, wakeUps, projectId, async (tx) => {
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
    await logRunActivity(tx, caller, row, 'job_cancelled')
    return toRun(cancelled)
  })
}

/** The same again, as a run of its own. */
export function retryRun(
  db: Db,
  wakeUps: WakeUps,
  caller: Caller,
  configId: number,
  runId: string,
): Promise<Run> {
  const { projectId } = caller
  return changeProjectAndNotify(db, wakeUps, projectId, async (tx) => {
    const row = await getRunRow(tx, projectId, configId, runId)
    if (row.state === 'queued' || row.state === 'running') {
      throw conflict(`This run is still ${row.state}.`)
    }
    const config = await getConfigRow(tx, projectId, configId)
    requireNotTrashed(config)
    const again = await queueRun(tx, {
      project_id: projectId,
      config_id: configId,
      kind: row.kind,
      name: row.name,
      payload: JSON.parse(row.payload) ?? undefined,
      operation: row.operation,
      created_by: caller.userId,
      retry_of: row.id,
    })
    await logRunActivity(tx, caller, { ...row, id: again.id }, 'job_triggered')
    return again
  })
}

/** A change after which a worker may have something to do. */
export async function changeProjectAndNotify<T>(
  db: Db,
  wakeUps: WakeUps,
  projectId: number,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  const result = await changeProject(db, projectId, change)
  wakeUps.notify()
  return result
}

export function requireNotTrashed({ deleted }: ConfigRow): void {
  if (deleted) throw conflict('This config is in the trash. Restore it to run a job.')
}

async function logRunActivity(
  tx: Tx,
  caller: Caller,
  row: RunRow,
  activity: string,
): Promise<void> {
  const config = await getConfigRow(tx, caller.projectId, row.config_id)
  const plugin = await findPlugin(tx, config.plugin_id)
  const payload = JSON.parse(row.payload) ?? {}
  const trigger = { job_type: row.name, job_id: row.id, payload }
  await logConfigActivity(tx, caller, row.config_id, plugin, { activity, trigger })
}
