import { describe, expect, it } from 'vitest'
import { nextDeliveryDate } from './schedule.ts'

describe('next delivery date', () => {
  it.each([
    ['later today', 'daily', 9, 'UTC', '2026-03-18T08:59:59Z', '2026-03-18T09:00:00.000Z'],
    ['tomorrow', 'daily', 9, 'UTC', '2026-03-18T09:00:00Z', '2026-03-19T09:00:00.000Z'],
    ['at midnight', 'daily', 0, 'UTC', '2026-03-18T09:00:00Z', '2026-03-19T00:00:00.000Z'],
    [
      'in the time zone',
      'daily',
      9,
      'Asia/Tokyo',
      '2026-03-18T09:00:00Z',
      '2026-03-19T00:00:00.000Z',
    ],
    ['on Monday', 'weekly', 9, 'UTC', '2026-03-18T09:00:00Z', '2026-03-23T09:00:00.000Z'],
    ['today, a Monday', 'weekly', 9, 'UTC', '2026-03-16T08:00:00Z', '2026-03-16T09:00:00.000Z'],
    ['a week later', 'weekly', 9, 'UTC', '2026-03-16T09:00:00Z', '2026-03-23T09:00:00.000Z'],
    ['after a Sunday', 'weekly', 9, 'UTC', '2026-03-22T10:00:00Z', '2026-03-23T09:00:00.000Z'],
    ['on the first', 'monthly', 9, 'UTC', '2026-01-31T09:00:00Z', '2026-02-01T09:00:00.000Z'],
    ['today, the first', 'monthly', 9, 'UTC', '2026-02-01T08:00:00Z', '2026-02-01T09:00:00.000Z'],
    ['next year', 'monthly', 9, 'UTC', '2026-12-01T09:00:00Z', '2027-01-01T09:00:00.000Z'],
    [
      'at the same hour in summer time',
      'daily',
      9,
      'Europe/Berlin',
      '2026-03-28T12:00:00Z',
      '2026-03-29T07:00:00.000Z',
    ],
    [
      'an hour later if the hour is skipped',
      'daily',
      2,
      'Europe/Berlin',
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'at the first of two equal hours',
      'daily',
      2,
      'Europe/Berlin',
      '2026-10-24T12:00:00Z',
      '2026-10-25T00:00:00.000Z',
    ],
    [
      'not at the second of two equal hours',
      'daily',
      2,
      'Europe/Berlin',
      '2026-10-25T00:00:00Z',
      '2026-10-26T01:00:00.000Z',
    ],
  ] as const)('is %s', (_, frequency, hour, zone, after, next) => {
    expect(nextDeliveryDate({ frequency, hour }, zone, Temporal.Instant.from(after))).toBe(next)
  })
})
