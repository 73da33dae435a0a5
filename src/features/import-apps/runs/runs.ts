import { toCsvRow } from '#model/csv.ts'
import { MAX_SKIPPED_ROWS } from '#model/limits.ts'
import type { Caller } from '#server/access/guard.ts'
import { ADMIN_LEVEL } from '#server/access/keys.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { flag } from '#server/db/values.ts'
import { conflict, notFound } from '#server/errors.ts'
import { toUuid } from '#server/http/ids.ts'
import type { WakeUps } from '#server/wake/wake-ups.ts'
import { settleWindow } from '../backfills/settle-window.ts'
import { configLog } from '../config-activity.ts'
import { getConfigRow } from '../configs/configs.ts'
import { toNotInstalledMessage } from '../configs/representation.ts'
import type { ConfigRow } from '../configs/store.ts'
import { findPlugin } from '../plugins/store.ts'
import { queueRun, type RunRow } from '../queue/store.ts'
import { requireAllowedJob, resolveJob } from './job-rules.ts'
import { listPreviewedEvents, listSkippedRows, PREVIEW_LENGTH } from './preview-store.ts'
import type { Job, Run, RunPreview } from './schema.ts'
import {
  findRunRow,
  listRuns,
  type RunFilter,
  toRun,
  updateCanceledRun,
  updateCancelRequested,
} from './store.ts'

interface Deps {
  readonly db: Db
  readonly wakeUps: WakeUps
}

interface RunPath {
  readonly configId: number
  readonly runId: string
}

interface JobTrigger {
  readonly configId: number
  readonly job: Job | undefined
  /** Whether to store nothing. */
  readonly isTest?: boolean | undefined
}

export async function listConfigRuns(
  db: Db,
  filter: RunFilter,
  range: PageRange,
): Promise<Slice<Run>> {
  await getConfigRow(db, filter.projectId, filter.configId)
  return listRuns(db, filter, range)
}

export async function getRun(db: Db, projectId: number, path: RunPath): Promise<Run> {
  return toRun(await getRunRow(db, projectId, path))
}

async function getRunRow(db: Db, projectId: number, { configId, runId }: RunPath): Promise<RunRow> {
  const id = toUuid(runId)
  const row = id && (await findRunRow(db, projectId, configId, id))
  if (!row) throw notFound()
  return row
}

export async function getRunPreview(db: Db, projectId: number, path: RunPath): Promise<RunPreview> {
  const { id } = await getRunRow(db, projectId, path)
  return {
    events: await listPreviewedEvents(db, id),
    skipped: await listSkippedRows(db, id, PREVIEW_LENGTH),
  }
}

/** Returns the skipped rows as CSV, with their reasons. */
export async function getSkippedRows(db: Db, projectId: number, path: RunPath): Promise<string> {
  const { id } = await getRunRow(db, projectId, path)
  const rows = await listSkippedRows(db, id, MAX_SKIPPED_ROWS)
  return [['reason', 'row'], ...rows.map(({ reason, row }) => [reason, row])].map(toCsvRow).join('')
}

/** Queues a run for a worker (`execution/execute-run.ts`), because no app code runs in a request. */
export function triggerJob(
  deps: Deps,
  caller: Caller,
  { configId, job, isTest = false }: JobTrigger,
): Promise<Run> {
  const { projectId, userId, level } = caller
  return changeAndWake(deps, projectId, async (tx) => {
    const config = await getConfigRow(tx, projectId, configId)
    requireNotTrashed(config)
    const plugin = await findPlugin(tx, config.plugin_id)
    const { kind, name, payload, operation } = resolveJob(plugin, job, level >= ADMIN_LEVEL)
    const row = await queueRun(tx, {
      project_id: projectId,
      config_id: configId,
      plugin_id: config.plugin_id,
      kind,
      name,
      payload,
      operation,
      dry_run: flag(isTest),
      ...(!plugin && { message: toNotInstalledMessage(config.plugin_id) }),
      created_by: userId,
    })
    await logRunActivity(tx, caller, row, 'job_triggered')
    return toRun(row)
  })
}

/** Cancels a queued run at once. An active run ends when its worker has stopped it. */
export function cancelRun(deps: Deps, caller: Caller, path: RunPath): Promise<Run> {
  return changeAndWake(deps, caller.projectId, async (tx) => {
    const row = await getRunRow(tx, caller.projectId, path)
    if (row.state !== 'queued' && row.state !== 'running') {
      const ended = row.state === 'cancelled' ? 'been canceled' : row.state
      throw conflict(`This run has already ${ended}.`)
    }
    const canceled =
      row.state === 'queued'
        ? await updateCanceledRun(tx, row.id, 'Canceled before it started.')
        : await updateCancelRequested(tx, row.id)
    await settleWindow(tx, canceled, canceled)
    await logRunActivity(tx, caller, row, 'job_cancelled')
    return toRun(canceled)
  })
}

/** Queues a new run of the same job with the same payload, if the caller could start the job now. */
export function retryRun(deps: Deps, caller: Caller, path: RunPath): Promise<Run> {
  const { projectId, userId, level } = caller
  return changeAndWake(deps, projectId, async (tx) => {
    const row = await getRunRow(tx, projectId, path)
    if (row.state === 'queued' || row.state === 'running') {
      throw conflict(`This run is still ${row.state}.`)
    }
    if (row.backfill_id !== null) throw conflict('Resume the backfill of this run instead.')
    const config = await getConfigRow(tx, projectId, path.configId)
    requireNotTrashed(config)
    if (row.plugin_id !== null && row.plugin_id !== config.plugin_id) {
      throw conflict('This run belongs to another app, which the config no longer uses.')
    }
    requireAllowedJob(await findPlugin(tx, config.plugin_id), row, level >= ADMIN_LEVEL)
    const retry = await queueRun(tx, {
      project_id: projectId,
      config_id: path.configId,
      plugin_id: config.plugin_id,
      by_app: row.by_app,
      kind: row.kind,
      name: row.name,
      payload: JSON.parse(row.payload) ?? undefined,
      operation: row.operation,
      dry_run: row.dry_run,
      created_by: userId,
      retry_of: row.id,
    })
    await logRunActivity(tx, caller, retry, 'job_triggered')
    return toRun(retry)
  })
}

/** Wakes the workers after the commit, when they can see the change. */
async function changeAndWake<T>(
  { db, wakeUps }: Deps,
  projectId: number,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  const result = await changeProject(db, projectId, change)
  wakeUps.notify()
  return result
}

function requireNotTrashed({ deleted }: ConfigRow): void {
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
  const logged = { configId: row.config_id, plugin }
  await configLog.logActivity(tx, caller, logged, activity, null, trigger)
}
