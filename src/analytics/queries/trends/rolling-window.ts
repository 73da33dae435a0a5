import { bucketStart, daysBefore, edgesOf, type Range, toSeconds } from '../dates.ts'
import type { Calendar } from '../parse-date.ts'
import { offsetsBetween } from '../zone-offsets.ts'
import { mathOf } from './aggregation.ts'
import type { Counted, Trend } from './trend.ts'

/** In which of so many last days people count as active. */
const DAYS: Readonly<Record<string, number>> = { weekly_active: 7, monthly_active: 30 }

export const activeDays = ({ node }: Counted): number | undefined => DAYS[mathOf(node)]

/** The last days of a range, for one number about it. */
function toLastDays(range: Range, days: number, calendar: Calendar): Range {
  const from = toSeconds(daysBefore(edgesOf(range, calendar)[1], days))
  return { ...range, from, offsets: offsetsBetween(calendar.zone, from, range.to) }
}

/** At which times a series' events are looked at: of people who were active, also before the periods. */
export function rangesOf(
  { periods, isAggregated, context }: Trend,
  series: Counted,
): readonly Range[] {
  const days = activeDays(series)
  if (!days) return periods
  return periods.map((range) =>
    isAggregated ? toLastDays(range, days, context) : toSpan(range, days, context).range,
  )
}

export interface Span {
  /** Reaches so far back that everybody who counts is in it; its intervals are points. */
  readonly range: Range
  /** In points. */
  readonly length: number
  /** The last point of each interval. */
  readonly ends: readonly number[]
}

const POINTS_OF_DAY = { minute: 1440, hour: 24, day: 1 } as const

/** Days are the points of long intervals; short ones are points themselves. */
export function toSpan(range: Range, days: number, calendar: Calendar): Span {
  const { interval, to } = range
  const isShort = interval === 'minute' || interval === 'hour'
  const unit = isShort ? interval : 'day'
  const length = days * POINTS_OF_DAY[unit]
  const start = bucketStart(edgesOf(range, calendar)[0], unit, calendar)
  const first = isShort
    ? start.subtract({ [`${unit}s`]: length - 1 })
    : daysBefore(start, length - 1)
  const from = toSeconds(first)
  const toPoint = (seconds: number): number => {
    if (isShort) return Math.floor((seconds - from) / (86_400 / POINTS_OF_DAY[unit]))
    const day = edgesOf({ from: seconds, to }, calendar)[0].toPlainDate()
    return first.toPlainDate().until(day).days
  }
  const offsets = offsetsBetween(calendar.zone, from, to)
  return {
    range: { interval: unit, from, to, buckets: [first], offsets },
    length,
    ends: range.buckets.map((_, index) => toPoint(lastSecondOf(range, index))),
  }
}

/** An interval that the range cuts short ends with the range. */
const lastSecondOf = ({ buckets, to }: Range, index: number): number => {
  const next = buckets[index + 1]
  return (next ? toSeconds(next) : to) - 1
}
