import { RUN_BACKFILL } from '#model/app-limitation.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { findConfigRow } from '../configs/store.ts'
import { APP_CHANGED, queueRun, type RunRow } from '../queue/store.ts'
import { toPeriod } from '../schedules/ticks.ts'
import {
  type BackfillRow,
  findBackfill,
  hasUnfinishedRun,
  listStoppedBackfills,
  toStreams,
  updateBackfill,
} from './store.ts'
import { toWindow } from './windows.ts'

/** Queues the run of the first window that is not finished. */
export async function queueWindow(tx: Tx, backfill: BackfillRow): Promise<void> {
  const { project_id, config_id, plugin_id, created_by, windows_done } = backfill
  const period = { from: backfill.from_time, to: backfill.to_time }
  const window = toWindow(period, toPeriod(backfill.chunk), windows_done)
  await queueRun(tx, {
    project_id,
    config_id,
    plugin_id,
    backfill_id: backfill.id,
    kind: 'job',
    name: RUN_BACKFILL,
    payload: { ...window, streams: toStreams(backfill) },
    created_by,
  })
}

type WindowEnd = Pick<RunRow, 'state' | 'message' | 'events' | 'new_events' | 'skipped'>

/**
 * Counts a window whose run has just ended, in the transaction that ends it, so that no crash repeats or loses one. Queues
 * the next, unless the backfill was paused meanwhile.
 */
export async function settleWindow(
  tx: Tx,
  { config_id, backfill_id }: Pick<RunRow, 'config_id' | 'backfill_id'>,
  end: WindowEnd,
): Promise<void> {
  const backfill = backfill_id && (await findBackfill(tx, config_id, backfill_id))
  if (!backfill || backfill.finished_at !== null) return
  const { state, message } = end
  if (state === 'failed') {
    await updateBackfill(tx, backfill, { state: 'failed', message })
  } else if (state === 'cancelled') {
    await updateBackfill(tx, backfill, { state: 'paused', message })
  } else if (state === 'succeeded') {
    await advance(tx, backfill, end)
  }
}

async function advance(tx: Tx, backfill: BackfillRow, end: WindowEnd): Promise<void> {
  const windows_done = backfill.windows_done + 1
  const isLast = windows_done === backfill.windows
  const after = await updateBackfill(tx, backfill, {
    windows_done,
    events: backfill.events + end.events,
    new_events: backfill.new_events + (end.new_events ?? end.events),
    skipped: backfill.skipped + end.skipped,
    ...(isLast && { state: 'succeeded', message: '', finished_at: now() }),
  })
  if (after.state === 'running') await queueWindow(tx, after)
}

/** Pauses the backfills whose run was canceled with all others of its config, or ends them if its app was replaced. */
export async function settleStoppedBackfills(db: Db): Promise<void> {
  for (const { project_id, config_id, id } of await listStoppedBackfills(db)) {
    await changeProject(db, project_id, async (tx) => {
      const backfill = await findBackfill(tx, config_id, id)
      if (backfill?.state !== 'running' || (await hasUnfinishedRun(tx, backfill))) return
      const config = await findConfigRow(tx, project_id, config_id)
      const isReplaced = config?.plugin_id !== backfill.plugin_id
      await updateBackfill(
        tx,
        backfill,
        isReplaced
          ? { state: 'cancelled', message: APP_CHANGED, finished_at: now() }
          : { state: 'paused', message: 'Its run was canceled.' },
      )
    })
  }
}
