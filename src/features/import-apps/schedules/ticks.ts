import { toRuns } from './cron.ts'
import type { Schedule } from './schema.ts'

const MINUTE_MS = 60_000

/** The scheduled tasks of apps and their periods. Other names that begin with `runEvery` are listed but never run. */
const TASK_PERIODS: Readonly<Record<string, number>> = {
  runEveryMinute: MINUTE_MS,
  runEveryHour: 60 * MINUTE_MS,
  runEveryDay: 24 * 60 * MINUTE_MS,
}

/** The times at which something is scheduled. */
export interface Ticks {
  /** Finds the first tick after a time. */
  readonly next: (after: number) => number | undefined
  /** Rounds a time down so that no tick lies between: to the latest tick or, if that takes long, to the minute. */
  readonly floor: (time: number) => number
}

export const toPeriodicTicks = (period: number): Ticks => {
  const floor = (time: number) => Math.floor(time / period) * period
  return { floor, next: (after) => floor(after) + period }
}

const NO_TICKS: Ticks = { ...toPeriodicTicks(MINUTE_MS), next: () => undefined }

const UNITS: Readonly<Record<string, number>> = {
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 24 * 60 * MINUTE_MS,
  w: 7 * 24 * 60 * MINUTE_MS,
}

/** Converts `15m` to milliseconds. */
export const toPeriod = (every: string): number =>
  Number(every.slice(0, -1)) * (UNITS[every.slice(-1)] ?? 0)

const toTicks = ({ every, cron, time_zone = 'UTC' }: Schedule): Ticks => {
  if (every !== undefined) return toPeriodicTicks(toPeriod(every))
  if (cron === undefined) return NO_TICKS
  return { ...toRuns(cron, time_zone), floor: toPeriodicTicks(MINUTE_MS).floor }
}

/** Something that a config runs at certain times. */
export interface ScheduledRun {
  readonly kind: 'job' | 'schedule'
  readonly name: string
  readonly ticks: Ticks
}

/** Lists what a config runs at which times: by its own schedule, or else by that of its app. */
export function listScheduledRuns(
  schedule: Schedule | null,
  scheduledTasks: readonly string[],
): ScheduledRun[] {
  const tasks = Object.keys(TASK_PERIODS).filter((task) => scheduledTasks.includes(task))
  if (schedule === null) {
    return tasks.map((name) => ({
      kind: 'schedule',
      name,
      ticks: toPeriodicTicks(TASK_PERIODS[name] as number),
    }))
  }
  const ticks = toTicks(schedule)
  if (schedule.job !== undefined) return [{ kind: 'job', name: schedule.job, ticks }]
  return tasks.map((name) => ({ kind: 'schedule', name, ticks }))
}

/** Tells whether a scheduled run has waited longer than the task's period, when the next one is already due. */
export const isStale = (task: string, queuedAt: string, time: number): boolean =>
  time - Date.parse(queuedAt) > (TASK_PERIODS[task] ?? Number.POSITIVE_INFINITY)

/**
 * Returns the tick to remember, or undefined to keep the remembered one. Of all ticks since the last, only one fires. If
 * a tick lies between the time and a later remembered one, the clock went back: the schedule continues at the current
 * time, which does not fire.
 */
export function nextTick(
  ticks: Ticks,
  last: number,
  time: number,
): { readonly tick: number; readonly isDue: boolean } | undefined {
  if ((ticks.next(last) ?? Number.POSITIVE_INFINITY) <= time) {
    return { tick: ticks.floor(time), isDue: true }
  }
  const isAhead = last > time && (ticks.next(time) ?? last) < last
  return isAhead ? { tick: ticks.floor(time), isDue: false } : undefined
}
