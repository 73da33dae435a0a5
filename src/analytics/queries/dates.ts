import { sql } from 'kysely'
import { invalid } from '../../errors.ts'
import type { EventTable, Sql } from '../event-table.ts'
import { type Calendar, startOf, toMoment } from './moments.ts'
import type { DateRange, Interval } from './schema.ts'
import { type Offset, offsetsBetween } from './zone-offsets.ts'

/** More would neither be drawn nor read. */
const MOST_BUCKETS = 10_000

/** A time that a query is about, cut into intervals of the project's time zone. */
export interface Range {
  readonly interval: Interval
  /** The first moment, and the first one after it, in whole seconds since 1970. */
  readonly from: number
  readonly to: number
  readonly buckets: readonly Temporal.ZonedDateTime[]
  /** By how much local time is ahead, from when on. */
  readonly offsets: readonly Offset[]
}

/** By default the last seven days and today. */
export function toRange(
  dateRange: DateRange | null | undefined,
  interval: Interval,
  calendar: Calendar,
  attr = 'query__dateRange',
): Range {
  const from = toMoment(dateRange?.date_from || '-7d', calendar, `${attr}__date_from`)
  const to = dateRange?.date_to
    ? toMoment(dateRange.date_to, calendar, `${attr}__date_to`)
    : { at: calendar.now.toZonedDateTimeISO(calendar.zone), wholeDay: isLong(interval) }
  const first = from.wholeDay ? from.at.startOfDay() : from.at
  const last = to.wholeDay ? to.at.startOfDay().add({ days: 1 }) : to.at.add({ seconds: 1 })
  return cut(first, last, interval, calendar, attr)
}

const isLong = (interval: Interval): boolean => interval !== 'hour' && interval !== 'minute'

/** The same length of time, just before: days by the calendar, so that a day is compared with a day. */
export function toPrevious(range: Range, calendar: Calendar): Range {
  const [first, last] = edgesOf(range, calendar)
  const whole =
    first.hour === 0 &&
    first.minute === 0 &&
    range.interval !== 'hour' &&
    range.interval !== 'minute'
  const length = whole
    ? { days: Math.round((range.to - range.from) / 86_400) }
    : { seconds: range.to - range.from }
  return cut(first.subtract(length), last.subtract(length), range.interval, calendar)
}

/** So many intervals up to the one it is now, or up to the end of a range. */
export function toWholeIntervals(
  count: number,
  end: Temporal.ZonedDateTime,
  interval: Interval,
  calendar: Calendar,
): Range {
  const last = bucketStart(end, interval, calendar).add({ [`${interval}s`]: 1 })
  const first = last.subtract({ [`${interval}s`]: count })
  return cut(first, last, interval, calendar)
}

export const edgesOf = (range: Range, { zone }: Calendar) =>
  [range.from, range.to].map((seconds) =>
    Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toZonedDateTimeISO(zone),
  ) as [Temporal.ZonedDateTime, Temporal.ZonedDateTime]

function cut(
  first: Temporal.ZonedDateTime,
  last: Temporal.ZonedDateTime,
  interval: Interval,
  calendar: Calendar,
  attr = 'query__dateRange',
): Range {
  const [from, to] = [toSeconds(first), toSeconds(last)]
  const buckets: Temporal.ZonedDateTime[] = []
  const start = bucketStart(first, interval, calendar)
  for (let index = 0; ; index++) {
    const bucket = start.add({ [`${interval}s`]: index })
    if (toSeconds(bucket) >= to) break
    if (index >= MOST_BUCKETS) {
      throw invalid(attr, 'That is too many intervals. Ask for a shorter time or longer intervals.')
    }
    buckets.push(bucket)
  }
  return { interval, from, to, buckets, offsets: offsetsBetween(calendar.zone, from, to) }
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

/** Whether an event is of the range. As text, so that both databases skip what lies outside of it. */
export const within = ({ from, to }: Pick<Range, 'from' | 'to'>): Sql =>
  sql`e.timestamp >= ${toTime(from)}::timestamptz and e.timestamp < ${toTime(to)}::timestamptz`

export const toTime = (seconds: number): string => new Date(seconds * 1000).toISOString()

/**
 * In which bucket of the range an event is, from 0. Arithmetic on seconds: the databases' own functions ask for the
 * time zone of each event, which takes 20 times as long.
 */
export function bucketOf(table: EventTable, range: Range): Sql {
  const local = sql`(${table.epoch} + ${offsetOf(table, range.offsets)})`
  const [first] = range.buckets
  if (!first) return sql`0`
  // by real seconds: clocks that go back repeat an hour, which stays two
  if (range.interval === 'hour' || range.interval === 'minute') {
    return steps(table, table.epoch, toSeconds(first), SECONDS[range.interval])
  }
  if (range.interval !== 'month') {
    return steps(table, local, toLocalMidnight(first), SECONDS[range.interval])
  }
  const day = steps(table, local, 0, SECONDS.day)
  const date = sql`(date '1970-01-01' + ${day}::integer)`
  const months = first.year * 12 + first.month
  return sql`(extract(year from ${date})::bigint * 12 + extract(month from ${date})::bigint - ${sql.lit(months)})`
}

const SECONDS = { minute: 60, hour: 3600, day: 86_400, week: 604_800 } as const

/** By the date: where clocks are put forward at midnight, that day's first moment is not 0:00. */
const toLocalMidnight = (moment: Temporal.ZonedDateTime): number =>
  Temporal.PlainDate.from('1970-01-01').until(moment.toPlainDate()).days * SECONDS.day

const steps = (table: EventTable, moment: Sql, from: number, length: number): Sql =>
  table.divide(sql`(${moment} - ${sql.lit(from)})`, sql.lit(length) as Sql)

function offsetOf(table: EventTable, offsets: readonly Offset[]): Sql {
  const [last, ...earlier] = offsets.toReversed()
  if (earlier.length === 0) return sql`${sql.lit(last?.seconds ?? 0)}`
  const cases = offsets.slice(0, -1).map((offset, index) => {
    const until = offsets[index + 1]?.from as number
    return sql`when ${table.epoch} < ${sql.lit(until)} then ${sql.lit(offset.seconds)}`
  })
  return sql`case ${sql.join(cases, sql` `)} else ${sql.lit(last?.seconds ?? 0)} end`
}
