import { bucketStart, subtractDays, type TimeRange, toEdges, toSeconds } from '../dates.ts'
import type { Calendar } from '../parse-date.ts'
import { listOffsets, type Offset } from '../zone-offsets.ts'
import { mathOf } from './aggregation.ts'
import { isCumulative, type Series, type Trend } from './trend.ts'

/** The number of days after which persons no longer count as active. */
const DAYS: Readonly<Record<string, number>> = { weekly_active: 7, monthly_active: 30 }

/** A cumulative line counts everyone since the start of the range, so no days are too long ago. */
export const rollingDays = (trend: Pick<Trend, 'query'>, { node }: Series): number | undefined =>
  isCumulative(trend) ? undefined : DAYS[mathOf(node)]

/** Returns the last days of a range, for one number about it. */
function toLastDays(range: TimeRange, days: number, calendar: Calendar): TimeRange {
  const from = toSeconds(subtractDays(toEdges(range, calendar)[1], days))
  return { ...range, from, offsets: listOffsets(calendar.zone, from, range.to) }
}

/** Returns the time ranges that a series reads: for active persons, also before the periods. */
export function toScannedRanges(trend: Trend, series: Series): readonly TimeRange[] {
  const { periods, isAggregated, context } = trend
  const days = rollingDays(trend, series)
  if (!days) return periods
  return periods.map((range) =>
    isAggregated ? toLastDays(range, days, context) : toRollingWindow(range, days, context).range,
  )
}

export interface RollingWindow {
  /** Starts early enough to include everyone who counts. Its intervals are called points. */
  readonly range: TimeRange
  readonly days: number
  /** In points. */
  readonly length: number
  /** The last point of each interval. */
  readonly ends: readonly number[]
}

const POINTS_OF_DAY = { minute: 1440, hour: 24, day: 1 } as const

/** Windows by range and number of days, because every series of a query needs the same ones. */
const windows = new WeakMap<TimeRange, Map<number, RollingWindow>>()

/** Uses days as points for long intervals, and the intervals themselves if they are short. */
export function toRollingWindow(range: TimeRange, days: number, calendar: Calendar): RollingWindow {
  const ofRange = windows.get(range) ?? new Map<number, RollingWindow>()
  const window = ofRange.get(days) ?? computeWindow(range, days, calendar)
  windows.set(range, ofRange.set(days, window))
  return window
}

function computeWindow(range: TimeRange, days: number, calendar: Calendar): RollingWindow {
  const { interval, to } = range
  const isShort = interval === 'minute' || interval === 'hour'
  const unit = isShort ? interval : 'day'
  const length = days * POINTS_OF_DAY[unit]
  const start = bucketStart(toEdges(range, calendar)[0], unit, calendar)
  const first = isShort
    ? start.subtract({ [`${unit}s`]: length - 1 })
    : subtractDays(start, length - 1)
  const from = toSeconds(first)
  const offsets = listOffsets(calendar.zone, from, to)
  const toPoint = isShort
    ? (seconds: number) => Math.floor((seconds - from) / (DAY_SECONDS / POINTS_OF_DAY[unit]))
    : createDayCounter(from, offsets)
  return {
    range: { interval: unit, from, to, buckets: [first], offsets },
    days,
    length,
    ends: range.buckets.map((_, index) => toPoint(toLastSecond(range, index))),
  }
}

const DAY_SECONDS = 86_400

/** Creates a function that counts the local days since `from`, for ascending seconds. */
function createDayCounter(from: number, offsets: readonly Offset[]): (seconds: number) => number {
  let at = 0
  const toLocalDay = (seconds: number): number => {
    while ((offsets[at + 1]?.from ?? Number.POSITIVE_INFINITY) <= seconds) at++
    return Math.floor((seconds + (offsets[at] as Offset).seconds) / DAY_SECONDS)
  }
  const firstDay = toLocalDay(from)
  return (seconds) => toLocalDay(seconds) - firstDay
}

/** Narrows the window to the days that end with one interval. */
export function toWindowAt(
  range: TimeRange,
  days: number,
  index: number,
  calendar: Calendar,
): TimeRange {
  const window = toRollingWindow(range, days, calendar)
  const { interval, buckets } = window.range
  const first = buckets[0] as Temporal.ZonedDateTime
  const points = (window.ends[index] as number) - window.length + 1
  const start =
    interval === 'day' ? subtractDays(first, -points) : first.add({ [`${interval}s`]: points })
  return { ...window.range, from: toSeconds(start), to: toLastSecond(range, index) + 1 }
}

/** An interval that the range cuts short ends with the range. */
const toLastSecond = ({ buckets, to }: TimeRange, index: number): number => {
  const next = buckets[index + 1]
  return (next ? toSeconds(next) : to) - 1
}
