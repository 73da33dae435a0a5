import fc from 'fast-check'
import type { TestEvent } from '../support/data/queries.ts'
import { withMerges, withPersons } from './visitors.ts'

const IDS = ['ada', 'bob', 'cyd', 'dan', 'ünï']

/**
 * Time zones with a day on which clocks change (forward or back, by an hour or half an hour, at midnight or later), and
 * two whose clocks never change.
 */
export const PLACES = [
  { zone: 'UTC', date: '2026-03-01' },
  { zone: 'Europe/Berlin', date: '2026-03-29' },
  { zone: 'Europe/Berlin', date: '2025-10-26' },
  { zone: 'America/Santiago', date: '2025-09-07' },
  { zone: 'America/Santiago', date: '2026-04-04' },
  { zone: 'Asia/Kathmandu', date: '2026-01-01' },
  { zone: 'Australia/Lord_Howe', date: '2025-10-05' },
  { zone: 'Australia/Lord_Howe', date: '2026-04-05' },
] as const

export interface Place {
  readonly zone: string
  readonly date: string
  readonly weekStart: 0 | 1
}

export const dayOf = (date: string, days: number): string =>
  Temporal.PlainDate.from(date).add({ days }).toString()

/** Generates moments, mostly near the clock change and at the boundaries of hours, days and weeks. */
const momentIn = ({ zone, date }: Place): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: -3, max: 3 }) },
        { weight: 2, arbitrary: fc.integer({ min: -21, max: 8 }) },
        { weight: 1, arbitrary: fc.integer({ min: -120, max: 40 }) },
      ),
      fc.constantFrom(0, 1, 29, 30, 59, 60, 90, 120, 719, 1380, 1410, 1439),
      fc.constantFrom(0, 59_999, -1),
    )
    .map(([days, minutes, ms]) => {
      const start = Temporal.PlainDate.from(dayOf(date, days)).toZonedDateTime(zone)
      return new Date(start.epochMilliseconds + minutes * 60_000 + ms).toISOString()
    })

const eventsIn = (place: Place): fc.Arbitrary<TestEvent[]> =>
  fc.array(
    withMerges(
      fc.record({
        event: fc.constantFrom('a', 'a', 'b'),
        person: fc.constantFrom(...IDS),
        at: momentIn(place),
        properties: fc.constantFrom({}, { plan: 'pro' }, { plan: 'free' }, { plan: null }),
      }),
      IDS,
    ),
    { maxLength: 25 },
  )

/** Generates events of a few persons with several IDs and a query about them. */
export const casesOf = <Query>(queryIn: (place: Place) => fc.Arbitrary<Query>) =>
  fc
    .tuple(fc.constantFrom(...PLACES), fc.constantFrom(0 as const, 1 as const))
    .map(([place, weekStart]): Place => ({ ...place, weekStart }))
    .chain((place) =>
      fc.record({
        place: fc.constant(place),
        events: eventsIn(place),
        query: queryIn(place),
        properties: fc.constantFrom(null, [{ key: 'plan', value: 'pro' }]),
      }),
    )

/** Replaces IDs by persons, then applies the query's own property filter. */
export const keep = (events: readonly TestEvent[], properties: unknown): readonly TestEvent[] =>
  withPersons(events).filter((event) => !properties || event.properties?.plan === 'pro')

/** Names an interval by its day, or by its moment if clocks repeat the hour. */
export const toMoment = (days: readonly string[], index: number, zone: string): string => {
  const day = days[index] as string
  if (days.indexOf(day) === index) return day
  const first = Temporal.PlainDateTime.from((days[0] as string).replace(' ', 'T'))
  const moment = first.toZonedDateTime(zone).add({ hours: index })
  return moment.toString({ timeZoneName: 'never' })
}
