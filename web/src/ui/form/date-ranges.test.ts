import { describe, expect, it } from 'vitest'
import { type Dates, datesLabel, toLast } from './date-ranges.ts'

describe('the name of dates', () => {
  it.each<[Dates, string]>([
    [{}, 'None'],
    [{ date_from: null, date_to: '' }, 'None'],
    [{ date_from: '-1dStart', date_to: '-1dEnd' }, 'Yesterday'],
    [{ date_from: '-24h' }, 'Last 24 hours'],
    [{ date_from: 'wStart' }, 'This week'],
    [{ date_from: '-1mStart', date_to: '-1mEnd' }, 'Last month'],
    [{ date_from: '-7d', date_to: null }, 'Last 7 days'],
    [{ date_from: '-5w' }, 'Last 5 weeks'],
    [{ date_from: '-1m' }, 'Last 1 month'],
    [{ date_from: '-7d', date_to: '-1d' }, '-7d to -1d'],
    [{ date_from: '2026-03-01' }, 'Since 2026-03-01'],
    [{ date_to: '2026-03-01' }, 'Until 2026-03-01'],
  ])('of %j is %s', (dates, name) => {
    expect(datesLabel(dates, 'None')).toBe(name)
  })

  it('has a count and a unit only for the last N', () => {
    expect(toLast({ date_from: '-12h' })).toMatchObject({ count: 12, unit: { label: 'hours' } })
    expect(toLast({ date_from: '-12h', date_to: '-2h' })).toBeUndefined()
    expect(toLast({ date_from: '-12y' })).toBeUndefined()
  })
})
