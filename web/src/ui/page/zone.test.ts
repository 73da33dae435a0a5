import { expect, it } from 'vitest'
import { toExactTime } from './exact-time.ts'
import { fromWallClock, toWallClock } from './zone.ts'

it.each([
  ['UTC', '15 Nov 2026, 23:30:05'],
  ['Europe/Berlin', '16 Nov 2026, 00:30:05'],
  ['America/St_Johns', '15 Nov 2026, 20:00:05'],
])('a time in %s is %s', (zone, text) => {
  expect(toExactTime('2026-11-15T23:30:05.250Z', zone)).toBe(text)
})

it('keeps milliseconds', () => {
  expect(toWallClock('2026-11-15T23:30:05.250Z', 'Asia/Tokyo').toISOString()).toBe(
    '2026-11-16T08:30:05.250Z',
  )
})

it('without a zone is the time of the browser', () => {
  const local = new Date(2026, 10, 15, 8, 30)

  expect(toExactTime(local.getTime(), undefined)).toBe('15 Nov 2026, 08:30:00')
  expect(fromWallClock('2026-11-15 08:30:00', undefined)).toEqual(local)
})

it.each([
  ['2026-03-28 13:00:00', '2026-03-28T12:00:00.000Z'],
  // the day on which clocks are put forward at 2:00
  ['2026-03-29 01:30:00', '2026-03-29T00:30:00.000Z'],
  ['2026-03-29 03:30:00', '2026-03-29T01:30:00.000Z'],
  ['2026-10-25 04:00:00', '2026-10-25T03:00:00.000Z'],
])('a clock in Berlin shows %s at %s', (text, moment) => {
  expect(fromWallClock(text, 'Europe/Berlin').toISOString()).toBe(moment)
})
