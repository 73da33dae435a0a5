import { describe, expect, it } from 'vitest'
import type { DateRange, Interval } from '#model/query-kinds/common.schema.ts'
import { contextOf } from '../../../test/support/data/queries.ts'
import {
  endsInCurrentInterval,
  type TimeRange,
  toEarlier,
  toLastIntervals,
  toPrevious,
  toRange,
} from './dates.ts'
import { type Calendar, parseDate } from './parse-date.ts'

const BERLIN = contextOf({ zone: 'Europe/Berlin' })
/** Clocks go forward at midnight here: 2025-09-07 begins at 1:00. */
const SANTIAGO = contextOf({ zone: 'America/Santiago' })

const iso = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19)
const edges = ({ from, to }: TimeRange) => [iso(from), iso(to)]
const starts = ({ buckets }: TimeRange) =>
  buckets.map((bucket) => bucket.toPlainDateTime().toString({ smallestUnit: 'minute' }))

const range = (
  dateRange: DateRange | null,
  interval: Interval = 'day',
  calendar: Calendar = contextOf(),
) => toRange(dateRange, interval, calendar)

describe('a date', () => {
  it.each([
    ['-7d', '2026-03-11T12:00:00Z'],
    ['-2h', '2026-03-18T10:00:00Z'],
    ['-5M', '2026-03-18T11:55:00Z'],
    ['-30s', '2026-03-18T11:59:30Z'],
    ['2w', '2026-03-04T12:00:00Z'],
    ['+1d', '2026-03-19T12:00:00Z'],
    ['-1m', '2026-02-18T12:00:00Z'],
    ['-1q', '2025-12-18T12:00:00Z'],
    ['-1y', '2025-03-18T12:00:00Z'],
    ['dStart', '2026-03-18T00:00:00Z'],
    ['hStart', '2026-03-18T12:00:00Z'],
    ['wStart', '2026-03-15T00:00:00Z'],
    ['mStart', '2026-03-01T00:00:00Z'],
    ['qStart', '2026-01-01T00:00:00Z'],
    ['yStart', '2026-01-01T00:00:00Z'],
    ['dEnd', '2026-03-18T23:59:59Z'],
    ['wEnd', '2026-03-21T23:59:59Z'],
    ['mEnd', '2026-03-31T23:59:59Z'],
    ['qEnd', '2026-03-31T23:59:59Z'],
    ['yEnd', '2026-12-31T23:59:59Z'],
    ['-1mStart', '2026-02-01T00:00:00Z'],
    ['-1mEnd', '2026-02-28T23:59:59Z'],
    ['-1dStart', '2026-03-17T00:00:00Z'],
    ['2026-03-01', '2026-03-01T00:00:00Z'],
    ['2026-03-01T12:30:00', '2026-03-01T12:30:00Z'],
    ['2026-03-01 12:30:00', '2026-03-01T12:30:00Z'],
    ['2026-03-01T12:30:00+02:00', '2026-03-01T10:30:00Z'],
    ['2026-03-01T12:30:00.123Z', '2026-03-01T12:30:00.123Z'],
  ])('is parsed: %s', (text, expected) => {
    expect(parseDate(text, contextOf(), 'x').at.toInstant().toString()).toBe(expected)
  })

  it('is in the project’s time zone', () => {
    expect(parseDate('2026-03-01', BERLIN, 'x').at.toInstant().toString()).toBe(
      '2026-02-28T23:00:00Z',
    )
    expect(parseDate('dStart', BERLIN, 'x').at.toInstant().toString()).toBe('2026-03-17T23:00:00Z')
  })

  it('ends a day that begins at 1:00 just before midnight', () => {
    const now = Temporal.Instant.from('2025-09-07T12:00:00Z')
    const { at } = parseDate('dEnd', { ...SANTIAGO, now }, 'x')

    expect(at.toPlainDateTime().toString()).toBe('2025-09-07T23:59:59')
  })

  it('starts weeks on the project’s first weekday', () => {
    const monday = contextOf({ weekStart: 1 })

    expect(parseDate('wStart', monday, 'x').at.toInstant().toString()).toBe('2026-03-16T00:00:00Z')
  })

  it.each([
    'yesterday',
    '',
    '-7',
    '-7x',
    '7dd',
    'xStart',
    '2026-02-30',
    '2026-13-01',
    '2026-03-01T25:00:00',
    '-99999y',
    '-99999d0',
    '-2025y',
    '0001-01-01',
    '9999-12-31',
    'all',
    "'; drop table events",
  ])('is refused with its path: %s', (text) => {
    expect(() => parseDate(text, contextOf(), 'query__dateRange__date_from')).toThrow(
      expect.objectContaining({ statusCode: 400, attr: 'query__dateRange__date_from' }),
    )
  })
})

describe('a range', () => {
  it('is the last seven days and today by default', () => {
    for (const dateRange of [null, {}, { date_from: null, date_to: null }, { date_from: '' }]) {
      expect(edges(range(dateRange))).toEqual(['2026-03-11T00:00:00', '2026-03-19T00:00:00'])
    }
  })

  it('ends now if its intervals are shorter than a day', () => {
    expect(edges(range({ date_from: '-24h' }, 'hour'))).toEqual([
      '2026-03-17T12:00:00',
      '2026-03-18T12:00:01',
    ])
  })

  it('ends now if it is some hours long, so that it is compared with as many hours', () => {
    expect(edges(range({ date_from: '-24h' }, 'day'))).toEqual([
      '2026-03-17T12:00:00',
      '2026-03-18T12:00:01',
    ])
  })

  it('includes its whole last day, or its last second', () => {
    expect(edges(range({ date_from: '2026-03-01', date_to: '2026-03-01' }))).toEqual([
      '2026-03-01T00:00:00',
      '2026-03-02T00:00:00',
    ])
    expect(edges(range({ date_from: '-1mStart', date_to: '-1mEnd' }))).toEqual([
      '2026-02-01T00:00:00',
      '2026-03-01T00:00:00',
    ])
  })

  it('starts its first interval early enough to include its start', () => {
    expect(starts(range({ date_from: '2026-03-11', date_to: '2026-03-16' }, 'week'))).toEqual([
      '2026-03-08T00:00',
      '2026-03-15T00:00',
    ])
    expect(
      starts(
        range(
          { date_from: '2026-03-11', date_to: '2026-03-16' },
          'week',
          contextOf({ weekStart: 1 }),
        ),
      ),
    ).toEqual(['2026-03-09T00:00', '2026-03-16T00:00'])
    expect(starts(range({ date_from: '2026-01-31', date_to: '2026-03-01' }, 'month'))).toEqual([
      '2026-01-01T00:00',
      '2026-02-01T00:00',
      '2026-03-01T00:00',
    ])
  })

  it('has no intervals if it ends before it begins', () => {
    expect(starts(range({ date_from: '2026-03-05', date_to: '2026-03-01' }))).toEqual([])
  })

  it('has 23 hours on the day that clocks go forward, and 25 when they go back', () => {
    const hours = (day: string) => range({ date_from: day, date_to: day }, 'hour', BERLIN).buckets

    expect(hours('2026-03-28')).toHaveLength(24)
    expect(hours('2026-03-29')).toHaveLength(23)
    expect(hours('2025-10-26')).toHaveLength(25)
  })

  it('starts each day at its first moment, even at 1:00', () => {
    const days = range({ date_from: '2025-09-07', date_to: '2025-09-08' }, 'day', SANTIAGO)

    expect(starts(days)).toEqual(['2025-09-07T01:00', '2025-09-08T00:00'])
    expect(edges(days)).toEqual(['2025-09-07T04:00:00', '2025-09-09T03:00:00'])
    const one = range({ date_from: '2025-09-07', date_to: '2025-09-07' }, 'hour', SANTIAGO)
    expect(one.buckets).toHaveLength(23)
  })

  it('lists the clock changes in it', () => {
    expect(
      range({ date_from: '2026-03-28', date_to: '2026-03-30' }, 'day', BERLIN).offsets,
    ).toEqual([
      { from: Date.parse('2026-03-27T23:00:00Z') / 1000, seconds: 3600 },
      { from: Date.parse('2026-03-29T01:00:00Z') / 1000, seconds: 7200 },
    ])
  })

  it.each([
    [{ date_from: 'soon' }, 'day', 'query__dateRange__date_from'],
    [{ date_to: 'late' }, 'day', 'query__dateRange__date_to'],
    [{ date_from: '-1y' }, 'minute', 'query__dateRange'],
    [{ date_from: '0002-01-01', date_to: '9998-12-31' }, 'day', 'query__dateRange'],
  ] as const)('refuses %j by %s', (dateRange, interval, attr) => {
    expect(() => range(dateRange, interval)).toThrow(
      expect.objectContaining({ statusCode: 400, attr }),
    )
  })
})

describe('the previous range', () => {
  const previous = (dateRange: DateRange, interval: Interval = 'day', calendar = contextOf()) =>
    edges(toPrevious(range(dateRange, interval, calendar), calendar))

  it('has the same number of days, just before', () => {
    expect(previous({ date_from: '2026-03-02', date_to: '2026-03-08' })).toEqual([
      '2026-02-23T00:00:00',
      '2026-03-02T00:00:00',
    ])
  })

  it('has whole days even if one has 23 hours', () => {
    const [from, to] = ['2026-03-27T23:00:00', '2026-03-28T23:00:00']

    expect(previous({ date_from: '2026-03-29', date_to: '2026-03-29' }, 'day', BERLIN)).toEqual([
      from,
      to,
    ])
    expect(previous({ date_from: '2026-03-29', date_to: '2026-03-29' }, 'hour', BERLIN)).toEqual([
      from,
      to,
    ])
    expect(previous({ date_from: '2025-09-07', date_to: '2025-09-07' }, 'day', SANTIAGO)).toEqual([
      '2025-09-06T04:00:00',
      '2025-09-07T04:00:00',
    ])
  })

  it('does not overlap the range, even if its last day is incomplete', () => {
    const upToNoon = { date_from: '2026-03-16', date_to: '2026-03-18T09:00:00' }

    expect(previous(upToNoon)).toEqual(['2026-03-13T00:00:00', '2026-03-15T09:00:01'])
  })

  it('has the same number of seconds if the intervals are hours', () => {
    expect(previous({ date_from: '-2h' }, 'hour')).toEqual([
      '2026-03-18T07:59:59',
      '2026-03-18T10:00:00',
    ])
  })

  // now is Wednesday, 2026-03-18, 12:00
  it.each([
    ['today', { date_from: 'dStart' }, ['2026-03-17T00:00:00', '2026-03-18T00:00:00']],
    [
      'yesterday',
      { date_from: '-1dStart', date_to: '-1dEnd' },
      ['2026-03-16T00:00:00', '2026-03-17T00:00:00'],
    ],
    ['the last 24 hours', { date_from: '-24h' }, ['2026-03-16T11:59:59', '2026-03-17T12:00:00']],
    ['this week', { date_from: 'wStart' }, ['2026-03-11T00:00:00', '2026-03-15T00:00:00']],
    ['the last 2 weeks', { date_from: '-2w' }, ['2026-02-17T00:00:00', '2026-03-04T00:00:00']],
    ['this month', { date_from: 'mStart' }, ['2026-02-11T00:00:00', '2026-03-01T00:00:00']],
    [
      'last month',
      { date_from: '-1mStart', date_to: '-1mEnd' },
      ['2026-01-04T00:00:00', '2026-02-01T00:00:00'],
    ],
  ])('of %s is as long, and ends where it starts', (_, dates, expected) => {
    expect(previous(dates)).toEqual(expected)
  })

  it('is the month before if the intervals are months', () => {
    expect(previous({ date_from: '-1mStart', date_to: '-1mEnd' }, 'month')).toEqual([
      '2026-01-01T00:00:00',
      '2026-02-01T00:00:00',
    ])
  })

  it('is refused if it would be too far in the past', () => {
    const months = range({ date_from: '0002-06-01', date_to: '0010-01-01' }, 'month')

    expect(() => toPrevious(months, contextOf())).toThrow(
      expect.objectContaining({ statusCode: 400, attr: 'query__dateRange' }),
    )
  })

  it('can be a week or a year earlier', () => {
    const days = range({ date_from: '2026-03-30', date_to: '2026-03-31' }, 'day', BERLIN)

    expect(edges(toEarlier(days, '-1w', BERLIN, 'x'))).toEqual([
      '2026-03-22T23:00:00',
      '2026-03-24T23:00:00',
    ])
    expect(starts(toEarlier(days, '-1y', BERLIN, 'x'))).toEqual([
      '2025-03-30T00:00',
      '2025-03-31T00:00',
    ])
  })
})

describe('the last interval', () => {
  it.each([
    [{ date_from: '-3d' }, 'day', true],
    [{ date_from: '-3d', date_to: '2026-03-17' }, 'day', false],
    [{ date_from: '-3d', date_to: '2026-03-17' }, 'week', true],
    [{ date_from: '-3m', date_to: '2026-02-28' }, 'month', false],
    [{ date_from: '-3h', date_to: '2026-03-18T11:59:59Z' }, 'hour', false],
    [{ date_from: '-3h' }, 'hour', true],
    [{ date_from: '2026-03-20', date_to: '2026-03-21' }, 'day', true],
    [{ date_from: '2026-03-21', date_to: '2026-03-20' }, 'day', false],
  ] as const)('of %j by %s is unfinished: %s', (dateRange, interval, unfinished) => {
    expect(endsInCurrentInterval(range(dateRange, interval), contextOf())).toBe(unfinished)
  })
})

describe('the last intervals', () => {
  it('end with the current one', () => {
    const at = contextOf().now.toZonedDateTimeISO('UTC')

    expect(starts(toLastIntervals(3, at, 'week', contextOf()))).toEqual([
      '2026-03-01T00:00',
      '2026-03-08T00:00',
      '2026-03-15T00:00',
    ])
    expect(edges(toLastIntervals(2, at, 'month', contextOf()))).toEqual([
      '2026-02-01T00:00:00',
      '2026-04-01T00:00:00',
    ])
  })

  it('are whole days even if one begins at 1:00', () => {
    const at = Temporal.Instant.from('2025-09-07T12:00:00Z').toZonedDateTimeISO('America/Santiago')

    expect(edges(toLastIntervals(2, at, 'day', SANTIAGO))).toEqual([
      '2025-09-06T04:00:00',
      '2025-09-08T03:00:00',
    ])
  })
})
