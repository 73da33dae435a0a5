import type {
  Retry,
  Schedule,
  ScheduleSettings,
} from '#server/features/import-apps/schedules/schema.ts'

export type Unit = 'm' | 'h' | 'd' | 'w'

export const UNITS: readonly { readonly value: Unit; readonly label: string }[] = [
  { value: 'm', label: 'minutes' },
  { value: 'h', label: 'hours' },
  { value: 'd', label: 'days' },
  { value: 'w', label: 'weeks' },
]

/** The fields of the form. Those that the server checks are named as in its messages. */
export interface ScheduleValues {
  readonly kind: 'app' | 'every' | 'cron' | 'manual'
  readonly schedule__every: number | string
  readonly unit: Unit
  readonly schedule__cron: string
  readonly schedule__time_zone: string
  /** Empty: the scheduled tasks of the app. */
  readonly schedule__job: string
  /** Empty: by the schedule. */
  readonly expected_every: number | string
  readonly expected_unit: Unit
  /** Empty: a run is not repeated. */
  readonly retry__times: number | string
  readonly retry__backoff: Retry['backoff']
}

type Settings = Pick<ScheduleSettings, 'schedule' | 'expected_every' | 'retry'>

export function toValues(
  { schedule, expected_every, retry }: Settings,
  zone: string,
): ScheduleValues {
  const [count, unit] = split(schedule?.every ?? '1h')
  const [expected, expected_unit] = split(expected_every ?? 'd')
  return {
    kind: toKind(schedule),
    schedule__every: count,
    unit,
    schedule__cron: schedule?.cron ?? '0 6 * * *',
    schedule__time_zone: schedule?.cron ? (schedule.time_zone ?? 'UTC') : zone,
    schedule__job: schedule?.job ?? '',
    expected_every: expected,
    expected_unit,
    retry__times: retry?.times ?? '',
    retry__backoff: retry?.backoff ?? 'exponential',
  }
}

function toKind(schedule: Schedule | null): ScheduleValues['kind'] {
  if (schedule === null) return 'app'
  if (schedule.manual) return 'manual'
  return schedule.cron === undefined ? 'every' : 'cron'
}

/** Splits `15m` into its number and its unit; `d` has no number. */
const split = (every: string): [number | string, Unit] => [
  every.length > 1 ? Number(every.slice(0, -1)) : '',
  every.slice(-1) as Unit,
]

export function toSettings(values: ScheduleValues): Settings {
  const { expected_every: count, expected_unit, retry__times: times, retry__backoff } = values
  return {
    schedule: toSchedule(values),
    expected_every: count === '' ? null : `${count}${expected_unit}`,
    retry: times === '' ? null : { times: Number(times), backoff: retry__backoff },
  }
}

function toSchedule(values: ScheduleValues): Schedule | null {
  const job = values.schedule__job === '' ? {} : { job: values.schedule__job }
  switch (values.kind) {
    case 'app':
      return null
    case 'manual':
      return { manual: true }
    case 'every':
      return { every: `${values.schedule__every}${values.unit}`, ...job }
    case 'cron':
      return { cron: values.schedule__cron, time_zone: values.schedule__time_zone, ...job }
  }
}
