import { sql } from 'kysely'
import type { EventTable, Sql } from '../event-table.ts'
import type { TimeRange } from './dates.ts'
import type { Offset } from './zone-offsets.ts'

/**
 * Computes the bucket of an event, from 0, without the databases' own functions, which look up the time zone for each
 * event and take 20 times as long.
 */
export function toBucketIndex(table: EventTable, range: TimeRange): Sql {
  const [first] = range.buckets
  if (!first) return sql`0`
  if (range.interval === 'month') return toMonthIndex(table, range, first)
  const scale = toScale(range, first)
  return table.strategy.comparesTimes && countSteps(range, scale) <= MAX_STEPS
    ? findStep(listSteps(range, scale))
    : computeIndex(table, scale)
}

/** With more, planning the statement would take as long as running it over many events. */
const MAX_STEPS = 128

/** The part of a range that has an index; `from` and the exclusive `to` are in milliseconds. */
export interface BucketSpan extends Step {
  readonly to: number
}

/** Lists the intervals of a range by index; undefined if there are too many, or if clocks that go back repeat a day. */
export function listSpans(range: TimeRange): readonly BucketSpan[] | undefined {
  const [first] = range.buckets
  if (!first || range.interval === 'month') return undefined
  const scale = toScale(range, first)
  if (countSteps(range, scale) > MAX_STEPS) return undefined
  const steps = listSteps(range, scale).filter((step, at, all) => step.index !== all[at - 1]?.index)
  if (new Set(steps.map(({ index }) => index)).size < steps.length) return undefined
  return steps.map((step, at) => ({ ...step, to: steps[at + 1]?.from ?? range.to * 1000 }))
}

/** Buckets of equal length in local time. All numbers are milliseconds. */
interface Scale {
  readonly origin: number
  readonly length: number
  readonly offsets: readonly Offset[]
}

const MILLIS = { minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const
/** Short intervals are counted by elapsed time, because clocks that go back repeat an hour, which stays two buckets. */
const ELAPSED: readonly Offset[] = [{ from: Number.NEGATIVE_INFINITY, seconds: 0 }]

function toScale({ interval, offsets }: TimeRange, first: Temporal.ZonedDateTime): Scale {
  if (interval === 'hour' || interval === 'minute') {
    return { origin: first.epochMilliseconds, length: MILLIS[interval], offsets: ELAPSED }
  }
  const length = MILLIS[interval === 'month' ? 'day' : interval]
  return { origin: toLocalMidnight(first), length, offsets }
}

/** Uses the date, because a day does not start at 0:00 if clocks go forward at midnight. */
const toLocalMidnight = (moment: Temporal.ZonedDateTime): number =>
  Temporal.PlainDate.from('1970-01-01').until(moment.toPlainDate()).days * MILLIS.day

/** Divides milliseconds; dividing to get seconds first would take twice as long. */
const computeIndex = (table: EventTable, { origin, length, offsets }: Scale): Sql =>
  table.divide(
    sql`(${table.milliseconds} + ${toOffset(offsets)} - ${sql.lit(origin)})`,
    sql.lit(length),
  )

function toOffset(offsets: readonly Offset[]): Sql {
  const millis = ({ seconds }: Offset) => sql.lit(seconds * 1000)
  const last = offsets.at(-1) as Offset
  if (offsets.length === 1) return sql`${millis(last)}`
  const cases = offsets.slice(0, -1).map((offset, index) => {
    const until = toText((offsets[index + 1]?.from as number) * 1000)
    return sql`when e.timestamp < ${until}::timestamptz then ${millis(offset)}`
  })
  return sql`case ${sql.join(cases, sql` `)} else ${millis(last)} end`
}

/** A moment, in milliseconds, from which events have an index. */
interface Step {
  readonly from: number
  readonly index: number
}

const countSteps = ({ from, to }: TimeRange, { length, offsets }: Scale): number =>
  ((to - from) * 1000) / length + offsets.length

/** Lists where the index changes. Where clocks go back past midnight, it also goes back. */
const listSteps = ({ from, to }: TimeRange, { origin, length, offsets }: Scale): Step[] =>
  offsets.flatMap((offset, place) => {
    const start = Math.max(offset.from, from) * 1000
    const end = (offsets[place + 1]?.from ?? to) * 1000
    const zero = origin - offset.seconds * 1000
    const index = Math.floor((start - zero) / length)
    const more = Math.ceil((end - zero) / length) - index - 1
    const following = Array.from({ length: Math.max(0, more) }, (_, later) => ({
      from: zero + (index + 1 + later) * length,
      index: index + 1 + later,
    }))
    return [{ from: start, index }, ...following]
  })

/** Compares with the middle step, then with the middle of one half, and so on. */
function findStep(steps: readonly Step[]): Sql {
  const middle = steps.length >> 1
  const { from, index } = steps[middle] as Step
  if (middle === 0) return sql`${sql.lit(index)}`
  const [before, after] = [findStep(steps.slice(0, middle)), findStep(steps.slice(middle))]
  return sql`(case when e.timestamp < ${toText(from)}::timestamptz then ${before} else ${after} end)`
}

const toText = (milliseconds: number): Sql => sql.lit(new Date(milliseconds).toISOString())

/** Comparing with this few months is faster than extracting the date. */
const FEW_MONTHS = 24

function toMonthIndex(table: EventTable, range: TimeRange, first: Temporal.ZonedDateTime): Sql {
  if (range.buckets.length <= FEW_MONTHS) {
    return findStep(range.buckets.map(({ epochMilliseconds: from }, index) => ({ from, index })))
  }
  const day = computeIndex(table, toScale(range, first))
  const date = sql`(${sql.lit(first.toPlainDate().toString())}::date + ${day}::integer)`
  const months = first.year * 12 + first.month
  return sql`(extract(year from ${date})::bigint * 12 + extract(month from ${date})::bigint - ${sql.lit(months)})`
}
