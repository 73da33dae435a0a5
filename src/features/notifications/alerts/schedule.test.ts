import { describe, expect, it } from 'vitest'
import { endOfPause, isPaused, nextCheckAt } from './schedule.ts'

const at = (text: string) => Temporal.ZonedDateTime.from(text)

// 2026-01-02 is a Friday
const FRIDAY = at('2026-01-02T23:30[Europe/Berlin]')
const SATURDAY = at('2026-01-03T00:00[Europe/Berlin]')
const SUNDAY = at('2026-01-04T23:59[Europe/Berlin]')

describe('the next check', () => {
  it.each([
    ['hourly', FRIDAY, '2026-01-02T23:30:00.000Z'],
    ['daily', FRIDAY, '2026-01-03T22:30:00.000Z'],
    ['weekly', FRIDAY, '2026-01-09T22:30:00.000Z'],
    ['monthly', FRIDAY, '2026-02-02T22:30:00.000Z'],
    // the clock is set forward on March 29
    ['monthly', at('2026-03-02T12:00[Europe/Berlin]'), '2026-04-02T10:00:00.000Z'],
    ['monthly', at('2026-01-31T12:00[UTC]'), '2026-02-28T12:00:00.000Z'],
  ] as const)('of a %s alert after %s is at %s', (calculation_interval, after, next) => {
    expect(nextCheckAt({ calculation_interval, skip_weekend: 0 }, after)).toBe(next)
  })

  it.each([
    ['hourly', FRIDAY, '2026-01-04T23:00:00.000Z'],
    ['daily', FRIDAY, '2026-01-04T23:00:00.000Z'],
    ['weekly', FRIDAY, '2026-01-09T22:30:00.000Z'],
    ['hourly', at('2026-01-02T22:30[Europe/Berlin]'), '2026-01-02T22:30:00.000Z'],
    ['monthly', at('2026-01-01T12:00[UTC]'), '2026-02-02T00:00:00.000Z'],
  ] as const)('of a %s alert that skips weekends, after %s, is at %s', (interval, after, next) => {
    expect(nextCheckAt({ calculation_interval: interval, skip_weekend: 1 }, after)).toBe(next)
  })
})

describe('an alert that skips weekends', () => {
  const alert = { calculation_interval: 'hourly', skip_weekend: 1 } as const

  it('is paused on Saturday and Sunday, until Monday', () => {
    expect([FRIDAY, SATURDAY, SUNDAY].map((time) => isPaused(alert, time))).toEqual([
      false,
      true,
      true,
    ])
    expect([SATURDAY, SUNDAY].map(endOfPause)).toEqual([
      '2026-01-04T23:00:00.000Z',
      '2026-01-04T23:00:00.000Z',
    ])
    expect(isPaused({ ...alert, skip_weekend: 0 }, SATURDAY)).toBe(false)
  })
})
