import { sql } from 'kysely'
import type { DateRange, Interval } from '#model/query-kinds/common.schema.ts'
import { invalid } from '#server/errors.ts'
import type { Sql } from '../event-table.ts'
import { type Calendar, isComparable, type ParsedDate, parseDate, startOf } from './parse-date.ts'
import { listOffsets, type Offset } from './zone-offsets.ts'

/** In all periods together. More could neither be drawn nor read. */
const MAX_BUCKETS = 10_000

/** The time range of a query, divided into intervals of the project's time zone. */
export interface TimeRange {
  readonly interval: Interval
  /** The start, and the exclusive end, in whole seconds since 1970. */
  readonly from: number
  readonly to: number
  readonly buckets: readonly Temporal.ZonedDateTime[]
  /** The UTC offsets within the range. */
  readonly offsets: readonly Offset[]
}

/** Resolves a date range and divides it into intervals. */
export function toRange(
  dateRange: DateRange | null | undefined,
  interval: Interval,
  calendar: Calendar,
  attr = 'query__dateRange',
): TimeRange {
  const { from, to } = toEnds(dateRange, interval, calendar, attr)
  return cut(from, to, { interval, calendar, attr })
}

/** Resolves the start and the exclusive end of a range, by default of the last seven days and today. */
export function toEnds(
  dateRange: DateRange | null | undefined,
  interval: Interval,
  calendar: Calendar,
  attr: string,
): { from: Temporal.ZonedDateTime; to: Temporal.ZonedDateTime } {
  const date_from = dateRange?.date_from || '-7d'
  const { from, to } = toBounds({ ...dateRange, date_from }, calendar, attr)
  const now = {
    at: calendar.now.toZonedDateTimeISO(calendar.zone),
    wholeDay: isLong(interval) && !isHoursAgo(date_from),
  }
  return { from: from as Temporal.ZonedDateTime, to: to ?? toLastMoment(now, dateRange) }
}

/** The last 24 hours end now: with the rest of today they would be compared with a longer period. */
export const isHoursAgo = (text: string): boolean => /\d[hMs]$/.test(text)

/** Returns the start and the exclusive end of a range. Without a date, the range is open on that side. */
export function toBounds(
  dateRange: DateRange | null | undefined,
  calendar: Calendar,
  attr: string,
): { from: Temporal.ZonedDateTime | undefined; to: Temporal.ZonedDateTime | undefined } {
  const { date_from, date_to } = dateRange ?? {}
  const from = date_from ? toStart(date_from, calendar, `${attr}__date_from`) : undefined
  const to = date_to ? parseDate(date_to, calendar, `${attr}__date_to`) : undefined
  const startsWithDay = from?.wholeDay && !dateRange?.explicitDate
  return {
    from: startsWithDay ? from.at.startOfDay() : from?.at,
    to: to && toLastMoment(to, dateRange),
  }
}

const toLastMoment = ({ at, wholeDay }: ParsedDate, dateRange: DateRange | null | undefined) =>
  wholeDay && !dateRange?.explicitDate ? at.add({ days: 1 }).startOfDay() : at.add({ seconds: 1 })

/** The start of a range that begins with the first event. */
export const ALL = 'all'

/** Resolves `all` to the first event, or to today without events. */
export const toStart = (text: string, calendar: Calendar, attr: string): ParsedDate =>
  text === ALL
    ? {
        at: (calendar.firstEvent ?? calendar.now).toZonedDateTimeISO(calendar.zone),
        wholeDay: true,
      }
    : parseDate(text, calendar, attr)

const isLong = (interval: Interval): boolean => interval !== 'hour' && interval !== 'minute'

/** Returns the preceding range of the same length, in calendar days so that a day is compared with a day. */
export function toPrevious(range: TimeRange, calendar: Calendar): TimeRange {
  const { interval } = range
  const [first, last] = toEdges(range, calendar)
  if (interval === 'month' && isMidnight(first) && first.day === 1) {
    const months = range.buckets.length
    const [from, to] = [subtractMonths(first, months), subtractMonths(last, months)]
    return cut(from, to, { interval, calendar })
  }
  if (isMidnight(first) && (isLong(interval) || isMidnight(last))) {
    const length = first.until(last, { largestUnit: 'day' })
    const days = Math.ceil(length.total({ unit: 'day', relativeTo: first }))
    return cut(subtractDays(first, days), subtractDays(last, days), { interval, calendar })
  }
  const seconds = range.to - range.from
  return cut(first.subtract({ seconds }), last.subtract({ seconds }), { interval, calendar })
}

/** Shifts the range into the past by an offset such as `-1w`. */
export function toEarlier(
  range: TimeRange,
  by: string,
  calendar: Calendar,
  attr: string,
): TimeRange {
  const [first, last] = toEdges(range, calendar).map((edge) => {
    const { at, wholeDay } = parseDate(by, { ...calendar, now: edge.toInstant() }, attr)
    return isMidnight(edge) && wholeDay ? at.startOfDay() : at
  }) as [Temporal.ZonedDateTime, Temporal.ZonedDateTime]
  return cut(first, last, { interval: range.interval, calendar, attr })
}

/** Compares with the start of the day, which is 1:00 if clocks go forward at midnight. */
const isMidnight = (moment: Temporal.ZonedDateTime): boolean => moment.equals(moment.startOfDay())

export const subtractDays = (moment: Temporal.ZonedDateTime, days: number) =>
  isMidnight(moment) ? moment.subtract({ days }).startOfDay() : moment.subtract({ days })

/**
 * Shifts an edge of a range by months, because as many days would reach into other months. The end of the 30th becomes the
 * end of a shorter month.
 */
function subtractMonths(edge: Temporal.ZonedDateTime, months: number): Temporal.ZonedDateTime {
  if (!isMidnight(edge)) return edge.subtract({ months })
  const shifted =
    edge.day === 1
      ? edge.subtract({ months })
      : edge.subtract({ days: 1 }).subtract({ months }).add({ days: 1 })
  return shifted.startOfDay()
}

/** Returns `count` complete intervals, the last of which contains `end`. */
export function toLastIntervals(
  count: number,
  end: Temporal.ZonedDateTime,
  interval: Interval,
  calendar: Calendar,
): TimeRange {
  const current = bucketStart(end, interval, calendar)
  const first = addIntervals(current, 1 - count, interval)
  const last = addIntervals(current, 1, interval)
  // counted back from the last: where clocks change by half an hour, the first may not begin on the hour
  return cut(first, last, { interval, calendar, start: first })
}

/** Returns the complete intervals of a range, and the one before. */
export function toWholeIntervals(range: TimeRange, calendar: Calendar): TimeRange {
  const { interval, buckets } = range
  const end = toEdges(range, calendar)[1].subtract({ seconds: 1 })
  if (!isLong(interval)) return toLastIntervals(buckets.length + 1, end, interval, calendar)
  const before = addIntervals(buckets[0] ?? end, -1, interval)
  const [from, { to }] = [toSeconds(before), toLastIntervals(1, end, interval, calendar)]
  const offsets = listOffsets(calendar.zone, from, to)
  return { interval, from, to, buckets: [before, ...buckets], offsets }
}

export const toEdges = (range: Pick<TimeRange, 'from' | 'to'>, { zone }: Calendar) =>
  [range.from, range.to].map((seconds) =>
    Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toZonedDateTimeISO(zone),
  ) as [Temporal.ZonedDateTime, Temporal.ZonedDateTime]

interface CutOptions {
  readonly interval: Interval
  readonly calendar: Calendar
  readonly attr?: string
  readonly start?: Temporal.ZonedDateTime
}

/** Cuts a range into intervals. */
function cut(
  first: Temporal.ZonedDateTime,
  last: Temporal.ZonedDateTime,
  { interval, calendar, attr = 'query__dateRange', start }: CutOptions,
): TimeRange {
  if (!isComparable(first)) throw invalid(attr, 'The date is too far away.')
  const [from, to] = [toSeconds(first), toSeconds(last)]
  requireFewIntervals(Math.floor((to - from) / MAX_SECONDS[interval]), attr)
  const buckets: Temporal.ZonedDateTime[] = []
  const step = createSteps(start ?? bucketStart(first, interval, calendar), interval)
  for (let index = 0; ; index++) {
    const bucket = step(index)
    if (toSeconds(bucket) >= to) break
    requireFewIntervals(index + 1, attr)
    buckets.push(bucket)
  }
  return { interval, from, to, buckets, offsets: listOffsets(calendar.zone, from, to) }
}

export function requireFewIntervals(count: number, attr: string): void {
  if (count <= MAX_BUCKETS) return
  throw invalid(attr, 'Too many intervals. Choose a shorter date range or a longer interval.')
}

/** The length of long intervals: a day has 25 hours when clocks go back. */
const DAY_SECONDS = 86_400
const MAX_SECONDS = {
  minute: 60,
  hour: 3600,
  day: DAY_SECONDS + 3600,
  week: 7 * DAY_SECONDS + 3600,
  month: 31 * DAY_SECONDS + 3600,
} as const

/** Tells whether the last interval is the current one and may still grow. */
export function endsInCurrentInterval(
  { buckets, interval }: TimeRange,
  calendar: Calendar,
): boolean {
  const last = buckets.at(-1)
  if (!last) return false
  const end = addIntervals(last, 1, interval).toInstant()
  return Temporal.Instant.compare(end, calendar.now) > 0
}

const addIntervals = (start: Temporal.ZonedDateTime, count: number, interval: Interval) =>
  createSteps(start, interval)(count)

const NANOS = { minute: 60_000_000_000n, hour: 3_600_000_000_000n } as const

/**
 * Creates a function that adds intervals to the start of one. Each day's start is computed, because one may begin at
 * 1:00 and the others not. Computes with numbers, because adding a duration takes twice as long.
 */
function createSteps(
  start: Temporal.ZonedDateTime,
  interval: Interval,
): (count: number) => Temporal.ZonedDateTime {
  const { timeZoneId: zone, epochNanoseconds, year, month, day } = start
  if (interval === 'hour' || interval === 'minute') {
    const length = NANOS[interval]
    return (count) => new Temporal.ZonedDateTime(epochNanoseconds + BigInt(count) * length, zone)
  }
  const months = interval === 'month' ? 1 : 0
  const days = { month: 0, week: 7, day: 1 }[interval]
  const date = new Date(0)
  return (count) => {
    date.setUTCFullYear(year, month - 1 + count * months, day + count * days)
    return new Temporal.PlainDate(
      date.getUTCFullYear(),
      date.getUTCMonth() + 1,
      date.getUTCDate(),
    ).toZonedDateTime(zone)
  }
}

const NAMES = { week: 'w', month: 'm', day: 'd', hour: 'h' } as const

export const bucketStart = (
  moment: Temporal.ZonedDateTime,
  interval: Interval,
  calendar: Calendar,
): Temporal.ZonedDateTime =>
  interval === 'minute'
    ? moment.round({ smallestUnit: 'minute', roundingMode: 'floor' })
    : startOf(moment, NAMES[interval], calendar)

export const toSeconds = (moment: Temporal.ZonedDateTime): number =>
  Math.floor(moment.epochMilliseconds / 1000)

/** Matches events in the range. Uses text, with which both databases skip data outside of it. */
export const isInRange = ({ from, to }: Pick<TimeRange, 'from' | 'to'>): Sql =>
  sql`e.timestamp >= ${toTime(from)}::timestamptz and e.timestamp < ${toTime(to)}::timestamptz`

export const toTime = (seconds: number): string => new Date(seconds * 1000).toISOString()
