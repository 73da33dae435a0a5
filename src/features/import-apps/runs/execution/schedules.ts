import { SET_UP } from '#model/app-limitation.ts'
import { changeUncached } from '#server/db/change.ts'
import { readDatabaseTime } from '#server/db/dialect.ts'
import type { Db } from '#server/db/schema.ts'
import {
  listSchedulableConfigs,
  listTicks,
  listUnfinishedScheduledRuns,
  moveTick,
  type SchedulableConfig,
  type TickMove,
} from '#server/features/import-apps/queue/schedule-store.ts'
import { toSetUpRun } from '#server/features/import-apps/queue/set-ups.ts'
import { queueRun } from '#server/features/import-apps/queue/store.ts'
import type { WakeUps } from '#server/wake/wake-ups.ts'

const MINUTE_MS = 60_000

/** The scheduled tasks and their periods. Other names that begin with `runEvery` are listed but never run. */
const PERIODS: Readonly<Record<string, number>> = {
  runEveryMinute: MINUTE_MS,
  runEveryHour: 60 * MINUTE_MS,
  runEveryDay: 24 * 60 * MINUTE_MS,
}

/** Tells whether a scheduled run has waited longer than its period, when the next one is already due. */
export const isStale = (task: string, queuedAt: string, time: number): boolean =>
  time - Date.parse(queuedAt) > (PERIODS[task] ?? Number.POSITIVE_INFINITY)

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
    if ((await queueScheduledRuns(db, time)) > 0) wakeUps.notify()
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
    for (const { config, fires, ...move } of moves) {
      if (!(await moveTick(tx, move)) || !fires) continue
      await queueRun(tx, { ...toSetUpRun(config), name: move.task })
      queued++
    }
    return queued
  })
}

interface PlannedMove extends TickMove {
  readonly config: SchedulableConfig
  readonly fires: boolean
}

/** A tick whose previous run has not finished is remembered, but does not fire. A set-up waits instead. */
async function listTickMoves(db: Db, time: number): Promise<PlannedMove[]> {
  const toKey = (configId: number, task: string) => `${configId} ${task}`
  const configs = await listSchedulableConfigs(db)
  const ticks = new Map(
    (await listTicks(db)).map((row) => [toKey(row.config_id, row.task), row.tick]),
  )
  const runs = await listUnfinishedScheduledRuns(db)
  const unfinished = new Set(runs.map(({ config_id, name }) => toKey(config_id, name)))
  const setUps = configs.flatMap((config) => {
    const key = toKey(config.id, SET_UP)
    const from = ticks.get(key)
    const isDue = from === undefined || from < config.app_updated_at
    if (!config.setsUpJobs || !isDue || unfinished.has(key)) return []
    const to = new Date(Math.max(time, Date.parse(config.app_updated_at))).toISOString()
    return [{ config, configId: config.id, task: SET_UP, from, to, fires: true }]
  })
  const tasks = configs.flatMap((config) =>
    Object.entries(PERIODS).flatMap(([task, period]) => {
      if (!config.scheduledTasks.includes(task)) return []
      const key = toKey(config.id, task)
      const from = ticks.get(key)
      const next = nextTick(period, toLastTime(config, from), time)
      if (!next) return []
      const to = new Date(next.tick).toISOString()
      const fires = next.isDue && !unfinished.has(key)
      return [{ config, configId: config.id, task, from, to, fires }]
    }),
  )
  return [...setUps, ...tasks]
}

/** A task that never fired starts when the config was enabled or its app updated, whichever is later. */
function toLastTime(config: SchedulableConfig, remembered: string | undefined): number {
  if (remembered !== undefined) return Date.parse(remembered)
  return Math.max(Date.parse(config.scheduled_from), Date.parse(config.app_updated_at))
}

/**
 * Returns the tick to remember, or undefined to keep the remembered one. Of all ticks since the last, only the latest
 * fires. A remembered tick that is more than a period ahead shows that the clock went back: the schedule continues at
 * the current tick, which does not fire.
 */
export function nextTick(
  period: number,
  last: number,
  time: number,
): { readonly tick: number; readonly isDue: boolean } | undefined {
  const tick = Math.floor(time / period) * period
  if (tick > last) return { tick, isDue: true }
  return last - tick > period ? { tick, isDue: false } : undefined
}
