import type { AlertRow } from './store.ts'

type Schedule = Pick<AlertRow, 'calculation_interval' | 'skip_weekend'>

const STEPS = {
  hourly: { hours: 1 },
  daily: { days: 1 },
  weekly: { weeks: 1 },
  monthly: { months: 1 },
}
const SATURDAY = 6
const MONDAY_AFTER_SUNDAY = 8

/** Returns when the alert is checked next at the latest, by the calendar of the time zone. */
export function nextCheckAt(schedule: Schedule, at: Temporal.ZonedDateTime): string {
  const next = at.add(STEPS[schedule.calculation_interval])
  return toTime(isPaused(schedule, next) ? startOfMonday(next) : next)
}

/** Tells whether the alert is neither checked nor notifies at this time. */
export const isPaused = ({ skip_weekend }: Schedule, { dayOfWeek }: Temporal.ZonedDateTime) =>
  skip_weekend === 1 && dayOfWeek >= SATURDAY

/** Returns the time at which an alert that is paused at `at` is checked again. */
export const endOfPause = (at: Temporal.ZonedDateTime): string => toTime(startOfMonday(at))

const startOfMonday = (at: Temporal.ZonedDateTime): Temporal.ZonedDateTime =>
  at.add({ days: MONDAY_AFTER_SUNDAY - at.dayOfWeek }).startOfDay()

const toTime = ({ epochMilliseconds }: Temporal.ZonedDateTime): string =>
  new Date(epochMilliseconds).toISOString()
