import { SET_UP } from '#model/app-limitation.ts'
import { changeUncached } from '#server/db/change.ts'
import { readDatabaseTime } from '#server/db/dialect.ts'
import type { Db } from '#server/db/schema.ts'
import { settleStoppedBackfills } from '#server/features/import-apps/backfills/settle-window.ts'
import { queueMissingRequestRun } from '#server/features/import-apps/queue/request-runs.ts'
import {
  listSchedulableConfigs,
  listTicks,
  listUnfinishedRuns,
  moveTick,
  type SchedulableConfig,
  type TickMove,
} from '#server/features/import-apps/queue/schedule-store.ts'
import { toSetUpRun } from '#server/features/import-apps/queue/set-ups.ts'
import { queueRun } from '#server/features/import-apps/queue/store.ts'
import { listScheduledRuns, nextTick } from '#server/features/import-apps/schedules/ticks.ts'
import { listWaitingConfigs } from '#server/features/import-apps/webhooks/waiting-store.ts'
import type { WakeUps } from '#server/wake/wake-ups.ts'

const MINUTE_MS = 60_000

/**
 * Creates a task to be polled: it queues the scheduled runs at its first call and then once a minute. The clock is the
 * database's, since workers whose clocks differ would move the remembered ticks back and forth.
 */
export function createScheduler(
  db: Db,
  wakeUps: WakeUps,
  readTime = () => readDatabaseTime(db),
): () => Promise<void> {
  let lastMinute: number | undefined
  return async () => {
    const time = await readTime()
    const minute = Math.floor(time / MINUTE_MS)
    if (minute === lastMinute) return
    await settleStoppedBackfills(db)
    const queued = (await queueScheduledRuns(db, time)) + (await queueWaitingRequests(db))
    if (queued > 0) wakeUps.notify()
    lastMinute = minute // set last, so that the next poll retries after a failure
  }
}

/**
 * Queues the scheduled runs that are due at this time and returns their number. Any number of servers can call it at
 * once: the one that updates the remembered tick queues the run. See docs/decisions/0022.
 */
export async function queueScheduledRuns(db: Db, time: number): Promise<number> {
  const moves = await listTickMoves(db, time)
  if (moves.length === 0) return 0
  return changeUncached(db, async (tx) => {
    let queued = 0
    for (const { config, kind, fires, ...move } of moves) {
      if (!(await moveTick(tx, move)) || !fires) continue
      const payload = kind === 'job' ? {} : undefined // jobs expect one
      await queueRun(tx, { ...toSetUpRun(config), kind, name: move.task, payload })
      queued++
    }
    return queued
  })
}

/**
 * Queues runs for requests that wait although no run does: those that came while their config was disabled, or whose run
 * was canceled. Returns the number of runs.
 */
async function queueWaitingRequests(db: Db): Promise<number> {
  let queued = 0
  for (const config of await listWaitingConfigs(db)) {
    if (await changeUncached(db, (tx) => queueMissingRequestRun(tx, config))) queued++
  }
  return queued
}

interface PlannedMove extends TickMove {
  readonly kind: 'job' | 'schedule'
  readonly config: SchedulableConfig
  readonly fires: boolean
}

/** A tick whose previous run has not finished is remembered, but does not fire. A set-up waits instead. */
async function listTickMoves(db: Db, time: number): Promise<PlannedMove[]> {
  const toKey = (configId: number, name: string) => `${configId} ${name}`
  const configs = await listSchedulableConfigs(db)
  const remembered = new Map(
    (await listTicks(db)).map((row) => [toKey(row.config_id, row.task), row.tick]),
  )
  const unfinished = new Set(
    (await listUnfinishedRuns(db)).map(({ config_id, name }) => toKey(config_id, name)),
  )
  const setUps = configs.flatMap((config) => {
    const key = toKey(config.id, SET_UP)
    const from = remembered.get(key)
    const isDue = from === undefined || from < config.app_updated_at
    if (!config.setsUpJobs || !isDue || unfinished.has(key)) return []
    const to = new Date(Math.max(time, Date.parse(config.app_updated_at))).toISOString()
    const move = { configId: config.id, task: SET_UP, from, to }
    return [{ config, kind: 'schedule' as const, ...move, fires: true }]
  })
  const runs = configs.flatMap((config) =>
    listScheduledRuns(config.schedule, config.scheduledTasks).flatMap(({ kind, name, ticks }) => {
      const key = toKey(config.id, name)
      const from = remembered.get(key)
      const next = nextTick(ticks, toLastTime(config, from), time)
      if (!next) return []
      const to = new Date(next.tick).toISOString()
      const fires = next.isDue && !unfinished.has(key)
      return [{ config, kind, configId: config.id, task: name, from, to, fires }]
    }),
  )
  return [...setUps, ...runs]
}

/** A task that never fired starts when the config was enabled or its app updated, whichever is later. */
function toLastTime(config: SchedulableConfig, remembered: string | undefined): number {
  if (remembered !== undefined) return Date.parse(remembered)
  return Math.max(Date.parse(config.scheduled_from), Date.parse(config.app_updated_at))
}
