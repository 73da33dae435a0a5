import { runsBackfills } from '#model/app-limitation.ts'
import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { json, now, uuid } from '#server/db/values.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import { changesBetween } from '#server/features/activity/store.ts'
import { toUuid } from '#server/http/ids.ts'
import { requireTime } from '#server/http/times.ts'
import type { WakeUps } from '#server/wake/wake-ups.ts'
import { configLog } from '../config-activity.ts'
import { getConfigRow } from '../configs/configs.ts'
import type { ConfigRow } from '../configs/store.ts'
import { findPlugin } from '../plugins/store.ts'
import { toPeriod } from '../schedules/ticks.ts'
import type { Backfill, BackfillCreate, BackfillState } from './schema.ts'
import { queueWindow } from './settle-window.ts'
import {
  type BackfillRow,
  cancelActiveWindow,
  cancelQueuedWindow,
  findBackfill,
  hasUnfinishedRun,
  insertBackfill,
  listBackfills,
  listOpenBackfills,
  toBackfill,
  toStreams,
  updateBackfill,
} from './store.ts'
import { countWindows, overlaps, type Window } from './windows.ts'

const DEFAULT_CHUNK = '1d'
const MAX_WINDOWS = 10_000

interface Deps {
  readonly db: Db
  readonly wakeUps: WakeUps
}

export interface BackfillPath {
  readonly configId: number
  readonly backfillId: string
}

export async function listConfigBackfills(
  db: Db,
  { projectId, configId }: { readonly projectId: number; readonly configId: number },
  range: PageRange,
): Promise<Slice<Backfill>> {
  await getConfigRow(db, projectId, configId)
  return listBackfills(db, configId, range)
}

export async function getBackfill(
  db: Db,
  projectId: number,
  path: BackfillPath,
): Promise<Backfill> {
  return toBackfill(await getBackfillRow(db, projectId, path))
}

async function getBackfillRow(
  db: Db,
  projectId: number,
  { configId, backfillId }: BackfillPath,
): Promise<BackfillRow> {
  await getConfigRow(db, projectId, configId)
  const id = toUuid(backfillId)
  const row = id && (await findBackfill(db, configId, id))
  if (!row) throw notFound('Backfill')
  return row
}

/** Starts to import the past in windows, one run after the other. */
export function createBackfill(
  deps: Deps,
  caller: Caller,
  configId: number,
  create: BackfillCreate,
): Promise<Backfill> {
  const { projectId, userId } = caller
  const planned = plan(create)
  return changeAndWake(deps, projectId, async (tx) => {
    const config = await getConfigRow(tx, projectId, configId)
    await requireBackfills(tx, config)
    await requireNoOverlap(tx, configId, planned)
    const { from, to, streams, chunk, windows } = planned
    const row = await insertBackfill(tx, {
      id: uuid(),
      project_id: projectId,
      config_id: configId,
      plugin_id: config.plugin_id,
      from_time: from,
      to_time: to,
      streams: streams && json(streams),
      chunk,
      state: 'running',
      windows,
      created_by: userId,
      created_at: now(),
    })
    await queueWindow(tx, row)
    const changes = changesBetween('PluginConfig', {}, { from, to, streams, chunk })
    await logBackfill(tx, caller, config, 'backfill_started', changes)
    return row
  })
}

/** Lets the active window finish, and starts no other. */
export function pauseBackfill(deps: Deps, caller: Caller, path: BackfillPath): Promise<Backfill> {
  return changeBackfill(deps, caller, path, ['running'], async (tx, backfill, config) => {
    await cancelQueuedWindow(tx, backfill, 'The backfill was paused.')
    await logBackfill(tx, caller, config, 'backfill_paused')
    return updateBackfill(tx, backfill, { state: 'paused', message: 'Paused by a user.' })
  })
}

/** Continues with the first window that is not finished. */
export function resumeBackfill(deps: Deps, caller: Caller, path: BackfillPath): Promise<Backfill> {
  return changeBackfill(deps, caller, path, ['paused', 'failed'], async (tx, backfill, config) => {
    await requireBackfills(tx, config)
    if (config.plugin_id !== backfill.plugin_id) {
      throw conflict('This backfill belongs to another app, which the config no longer uses.')
    }
    const row = await updateBackfill(tx, backfill, { state: 'running', message: '' })
    if (!(await hasUnfinishedRun(tx, row))) await queueWindow(tx, row)
    await logBackfill(tx, caller, config, 'backfill_resumed')
    return row
  })
}

/** Ends it. What its windows have stored stays. */
export function cancelBackfill(deps: Deps, caller: Caller, path: BackfillPath): Promise<Backfill> {
  const open = ['running', 'paused', 'failed'] as const
  return changeBackfill(deps, caller, path, open, async (tx, backfill, config) => {
    await cancelQueuedWindow(tx, backfill, 'The backfill was canceled.')
    await cancelActiveWindow(tx, backfill)
    await logBackfill(tx, caller, config, 'backfill_canceled')
    const ended = { state: 'cancelled', message: '', finished_at: now() } as const
    return updateBackfill(tx, backfill, ended)
  })
}

function changeBackfill(
  deps: Deps,
  caller: Caller,
  path: BackfillPath,
  from: readonly BackfillState[],
  change: (tx: Tx, backfill: BackfillRow, config: ConfigRow) => Promise<BackfillRow>,
): Promise<Backfill> {
  const { projectId } = caller
  return changeAndWake(deps, projectId, async (tx) => {
    const backfill = await getBackfillRow(tx, projectId, path)
    if (!from.includes(backfill.state)) {
      const state = backfill.state === 'cancelled' ? 'canceled' : backfill.state
      throw conflict(`This backfill is ${state}.`)
    }
    return change(tx, backfill, await getConfigRow(tx, projectId, path.configId))
  })
}

/** Wakes the workers after the commit, when they can see the change. */
async function changeAndWake(
  { db, wakeUps }: Deps,
  projectId: number,
  change: (tx: Tx) => Promise<BackfillRow>,
): Promise<Backfill> {
  const row = await changeProject(db, projectId, change)
  wakeUps.notify()
  return toBackfill(row)
}

interface Planned extends Window {
  readonly streams: readonly string[] | null
  readonly chunk: string
  readonly windows: number
}

function plan({ chunk = DEFAULT_CHUNK, streams, ...times }: BackfillCreate): Planned {
  const from = requireTime('from', times.from) as string
  const to = requireTime('to', times.to) as string
  if (from >= to) throw invalid('to', '"to" must be later than "from".')
  if (to > now()) throw invalid('to', '"to" must not be in the future.', 'max_value')
  const windows = countWindows({ from, to }, toPeriod(chunk))
  if (windows > MAX_WINDOWS) {
    const detail = `These are ${windows} windows, more than ${MAX_WINDOWS}. Choose a longer "chunk".`
    throw invalid('chunk', detail, 'max_value')
  }
  return { from, to, streams: streams ?? null, chunk, windows }
}

async function requireBackfills(tx: Tx, config: ConfigRow): Promise<void> {
  if (config.deleted) throw conflict('This config is in the trash. Restore it to run a backfill.')
  if (!config.enabled) throw conflict('This config is disabled. Enable it to run a backfill.')
  const plugin = await findPlugin(tx, config.plugin_id)
  if (!plugin || !runsBackfills(plugin)) {
    throw conflict(
      'The app of this config cannot import the past in windows: it has no runBackfill.',
    )
  }
}

async function requireNoOverlap(tx: Tx, configId: number, planned: Planned): Promise<void> {
  const open = await listOpenBackfills(tx, configId)
  const other = open.find((row) =>
    overlaps(planned, { from: row.from_time, to: row.to_time, streams: toStreams(row) }),
  )
  if (!other) return
  const { id, from_time, to_time } = other
  throw conflict(
    `The backfill ${id} from ${from_time} to ${to_time} overlaps it. Cancel that one or wait until it has ended.`,
  )
}

async function logBackfill(
  tx: Tx,
  caller: Caller,
  { id, plugin_id }: ConfigRow,
  activity: string,
  changes: ReturnType<typeof changesBetween> = [],
): Promise<void> {
  const logged = { configId: id, plugin: await findPlugin(tx, plugin_id) }
  await configLog.logActivity(tx, caller, logged, activity, changes)
}
