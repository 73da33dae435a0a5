import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DateRange, Interval } from '#model/query-kinds/common.schema.ts'
import { toRange } from '#server/analytics/queries/dates.ts'
import type { ValidQuery } from '#server/analytics/queries/run-query.ts'
import { contextOf } from '../../../../test/support/data/queries.ts'
import { narrowDates, OUTSIDE_DATES } from './narrow-dates.ts'

const toTrends = (dateRange: DateRange | null, interval: Interval = 'day') =>
  ({ kind: 'TrendsQuery', series: [{ event: 'a' }], dateRange, interval }) as unknown as ValidQuery

interface Dated {
  readonly dateRange?: DateRange | null
}

/** Cuts a range on the 18th of March, at noon. */
const narrow = (own: DateRange | null, days: object, calendar = contextOf()) =>
  (narrowDates(toTrends(own), { ...days, calendar }) as Dated).dateRange

const DAY_MS = 86_400_000
const anyDay = fc
  .integer({ min: -60, max: 60 })
  .map((days) => new Date(Date.UTC(2026, 2, 18) + days * DAY_MS).toISOString().slice(0, 10))
const anyStart = fc.constantFrom(undefined, null, '-30d', '-24h', '-90M', 'mStart', '2026-03-10')
const anyEnd = fc.constantFrom(undefined, null, '-1d', '-2h', '2026-03-17', 'dEnd')

describe('days that narrow a query', () => {
  it.each([
    [{ date_from: '-7d' }, {}, { date_from: '-7d' }],
    [{ date_from: '-7d' }, { date_from: '2026-01-01' }, { date_from: '-7d' }],
    [null, { date_from: '2026-03-17' }, { date_from: '2026-03-17T00:00:00Z' }],
    [
      { date_from: '-30d', date_to: '-2d' },
      { date_from: '2026-03-01', date_to: '2026-03-31' },
      { date_from: '2026-03-01T00:00:00Z', date_to: '-2d' },
    ],
    [
      { date_from: 'all' },
      { date_to: '2026-03-01' },
      { date_from: 'all', date_to: '2026-03-01T23:59:59Z' },
    ],
    [
      { date_from: '-24h' },
      { date_from: '2026-03-18' },
      { date_from: '2026-03-18T00:00:00Z', date_to: '-0h' },
    ],
  ])('cut %j by %j', (own, days, expected) => {
    expect(narrow(own, days)).toEqual(expected)
  })

  it.each([
    [{ date_from: '-7d' }, { date_to: '2026-03-01' }],
    [{ date_from: '-7d' }, { date_from: '2026-04-01' }],
    [{ date_from: '-30d', date_to: '-10d' }, { date_from: '2026-03-18' }],
  ])('leave nothing of %j by %j', (own, days) => {
    expect(() => narrow(own, days)).toThrow(OUTSIDE_DATES)
  })

  it('never make a range longer, in any interval and time zone', () => {
    fc.assert(
      fc.property(
        fc.record({ date_from: anyStart, date_to: anyEnd, explicitDate: fc.boolean() }),
        fc.record({ date_from: fc.option(anyDay), date_to: fc.option(anyDay) }),
        fc.constantFrom<Interval>('hour', 'day', 'week', 'month'),
        fc.constantFrom('UTC', 'America/Santiago', 'Asia/Kolkata'),
        (own, { date_from, date_to }, interval, zone) => {
          const calendar = contextOf({ zone })
          const query = toTrends(own, interval)
          const days = { date_from: date_from ?? undefined, date_to: date_to ?? undefined }
          const before = toRange(own, interval, calendar)
          if (before.from >= before.to) return
          let after: Dated
          try {
            after = narrowDates(query, { ...days, calendar }) as Dated
          } catch (error) {
            expect(error).toBe(OUTSIDE_DATES)
            return
          }
          const { from, to } = toRange(after.dateRange, interval, calendar)
          expect(from).toBeGreaterThanOrEqual(before.from)
          expect(to).toBeLessThanOrEqual(before.to)
          expect(to).toBeGreaterThan(from)
        },
      ),
    )
  })

  it('leave a query alone that counts back from its end', () => {
    const query = { kind: 'RetentionQuery', retentionFilter: {} } as unknown as ValidQuery

    expect(narrowDates(query, { date_to: '2020-01-01', calendar: contextOf() })).toBe(query)
  })
})
