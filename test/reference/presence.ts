import type { TestEvent } from '../support/data/queries.ts'
import type { Place } from './visits.ts'

/** Computes retention, lifecycle and stickiness with loops over all events and intervals. */

export type Unit = 'hour' | 'day' | 'week' | 'month'

/** A time span in milliseconds, without its end. */
type Span = readonly [from: number, to: number]

const HOUR = 3_600_000

const midnight = (day: Temporal.PlainDate, { zone }: Place): number =>
  day.toZonedDateTime(zone).epochMilliseconds

function firstDayOf(unit: Unit, day: Temporal.PlainDate, { weekStart }: Place): Temporal.PlainDate {
  if (unit === 'month') return day.with({ day: 1 })
  if (unit === 'day') return day
  let first = day
  while (first.dayOfWeek % 7 !== weekStart) first = first.subtract({ days: 1 })
  return first
}

/** Returns the interval of a day and `count` before it. Hours are counted back from midnight. */
export function spansUpTo(unit: Unit, date: string, count: number, place: Place): Span[] {
  const day = Temporal.PlainDate.from(date)
  const end = midnight(day.add({ days: 1 }), place)
  return Array.from({ length: count }, (_, index): Span => {
    const back = count - 1 - index
    if (unit === 'hour') return [end - (back + 1) * HOUR, end - back * HOUR]
    const first = firstDayOf(unit, day, place)
    const from = first.subtract({ [`${unit}s`]: back })
    return [midnight(from, place), midnight(from.add({ [`${unit}s`]: 1 }), place)]
  })
}

/** Returns the intervals of a range of whole days, clipped to the range. */
export function spansBetween(unit: Unit, dates: readonly [string, string], place: Place): Span[] {
  const [first, last] = dates.map((date) => Temporal.PlainDate.from(date)) as [
    Temporal.PlainDate,
    Temporal.PlainDate,
  ]
  const begin = midnight(first, place)
  const end = midnight(last.add({ days: 1 }), place)
  const spans: Span[] = []
  for (let index = 0; ; index++) {
    const day = firstDayOf(unit === 'hour' ? 'day' : unit, first, place)
    const [from, to] =
      unit === 'hour'
        ? [begin + index * HOUR, begin + (index + 1) * HOUR]
        : [index, index + 1].map((steps) => midnight(day.add({ [`${unit}s`]: steps }), place))
    if ((from as number) >= end) return spans
    spans.push([Math.max(from as number, begin), Math.min(to as number, end)])
  }
}

const isIn = (time: number, [from, to]: Span): boolean => time >= from && time < to

/** Returns the sorted event times of each person. */
function timesByPerson(events: readonly TestEvent[]): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const { person = '', at } of events) {
    found.set(person, [...(found.get(person) ?? []), Date.parse(at)])
  }
  for (const times of found.values()) times.sort((one, other) => one - other)
  return found
}

export function expectRetention(
  target: readonly TestEvent[],
  returning: readonly TestEvent[],
  spans: readonly Span[],
  { isFirstTime, isCumulative }: { isFirstTime: boolean; isCumulative: boolean },
): number[][] {
  const targets = [...timesByPerson(target)]
  const returns = timesByPerson(returning)
  return spans.map((span, cohort) => {
    const members = targets.filter(([, times]) =>
      (isFirstTime ? times.slice(0, 1) : times).some((time) => isIn(time, span)),
    )
    return spans.slice(cohort).map((_, later) => {
      if (later === 0) return members.length
      const start = cohort + later
      const counted = spans.slice(start, isCumulative ? undefined : start + 1)
      return members.filter(([person]) =>
        returns.get(person)?.some((time) => counted.some((each) => isIn(time, each))),
      ).length
    })
  })
}

/** Counts each interval but the first, which precedes the range. */
export function expectLifecycle(events: readonly TestEvent[], spans: readonly Span[]) {
  const persons = [...timesByPerson(events).values()]
  return spans.slice(1).map((span, index) => {
    const before = spans[index] as Span
    const counts = { new: 0, returning: 0, resurrecting: 0, dormant: 0 }
    for (const times of persons) {
      const isHere = times.some((time) => isIn(time, span))
      const wasHere = times.some((time) => isIn(time, before))
      const wasEver = times.some((time) => time < span[0])
      if (isHere && wasHere) counts.returning++
      else if (isHere && wasEver) counts.resurrecting++
      else if (isHere) counts.new++
      else if (wasHere) counts.dormant--
    }
    return counts
  })
}

export function expectStickiness(
  events: readonly TestEvent[],
  spans: readonly Span[],
  isEnough: (events: number) => boolean,
): number[] {
  const persons = [...timesByPerson(events).values()].map((times) => {
    const counts = spans.map((span) => times.filter((time) => isIn(time, span)).length)
    return counts.filter((count) => count > 0 && isEnough(count)).length
  })
  return spans.map((_, index) => persons.filter((times) => times === index + 1).length)
}
