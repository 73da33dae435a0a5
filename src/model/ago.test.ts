import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toAgo } from './ago.ts'

const NOW = Date.parse('2026-03-10T12:00:00Z')
const INTL = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const LENGTHS = { year: 31_536_000, month: 2_592_000, day: 86_400, hour: 3600, minute: 60 }

describe('toAgo', () => {
  it.each([
    [0, 'just now'],
    [-59, 'just now'],
    [-60, '1 minute ago'],
    [-7200, '2 hours ago'],
    [-86_400, 'yesterday'],
    [90_000, 'tomorrow'],
    [3 * 86_400, 'in 3 days'],
    [7 * 86_400 - 2, 'in 7 days'],
    [7 * 86_400 - 7200, 'in 7 days'],
    [86_400 - 2, 'in 24 hours'],
    [59, 'just now'],
    [-40 * 86_400, 'last month'],
  ])('formats %d seconds as "%s"', (seconds, expected) => {
    expect(toAgo(NOW + seconds * 1000, NOW)).toBe(expected)
  })

  it('agrees with Intl.RelativeTimeFormat', () => {
    const units = fc.constantFrom(...(Object.keys(LENGTHS) as (keyof typeof LENGTHS)[]))
    fc.assert(
      fc.property(units, fc.integer({ min: -11, max: 11 }), (unit, count) => {
        fc.pre(count !== 0)
        const time = NOW + count * LENGTHS[unit] * 1000
        expect(toAgo(time, NOW)).toBe(INTL.format(count, unit))
      }),
    )
  })
})
