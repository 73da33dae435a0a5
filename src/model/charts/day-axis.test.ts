import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toDayAxis } from './day-axis.ts'

const HOUR = 3_600_000

const timesFrom = (start: string, count: number, step: number): string[] =>
  Array.from({ length: count }, (_, at) =>
    new Date(Date.parse(start) + at * step).toISOString().slice(0, 19).replace('T', ' '),
  )

const shown = (days: readonly string[], interval: string, width = 640) =>
  toDayAxis(days, interval, { width, isLine: true }).labels.filter(Boolean)

describe('the labels of a time axis', () => {
  it('name the date of minutes and hours only where it changes', () => {
    expect(shown(timesFrom('2026-11-17T22:40:00Z', 12, 600_000), 'minute', 2400)).toEqual([
      '17 Nov 22:40',
      ...['22:50', '23:00', '23:10', '23:20', '23:30', '23:40', '23:50'],
      '18 Nov',
      ...['00:10', '00:20', '00:30'],
    ])
    expect(shown(timesFrom('2026-11-17T13:00:00Z', 48, HOUR), 'hour')).toEqual([
      '17 Nov 13:00',
      '18 Nov 01:00',
      '13:00',
      '19 Nov 01:00',
    ])
  })

  it('name the date again where a time would be there twice', () => {
    expect(shown(timesFrom('2026-11-17T23:00:00Z', 49, HOUR), 'hour')).toEqual([
      '17 Nov 23:00',
      '18 Nov 11:00',
      '23:00',
      '19 Nov 11:00',
      '19 Nov 23:00',
    ])
  })

  it('name the year only where it changes', () => {
    expect(shown(['2025-11-01', '2025-12-01', '2026-01-01', '2026-02-01'], 'month')).toEqual([
      'Nov 2025',
      'Dec',
      'Jan 2026',
      'Feb',
    ])
    expect(shown(['2025-12-22', '2025-12-29', '2026-01-05'], 'week')).toEqual([
      '22 Dec',
      '29 Dec',
      '5 Jan 2026',
    ])
  })

  it('are never there twice', () => {
    const spans = fc.record({
      interval: fc.constantFrom('minute', 'hour', 'day', 'week', 'month'),
      count: fc.integer({ min: 1, max: 800 }),
      width: fc.integer({ min: 200, max: 2000 }),
      start: fc.integer({ min: 0, max: 100_000 }),
    })
    const lengths: Readonly<Record<string, number>> = {
      minute: HOUR / 60,
      hour: HOUR,
      day: 24 * HOUR,
      week: 168 * HOUR,
      month: 732 * HOUR,
    }
    fc.assert(
      fc.property(spans, ({ interval, count, width, start }) => {
        const from = new Date(Date.UTC(2024, 0, 1) + start * HOUR).toISOString()
        const times = timesFrom(from, count, lengths[interval] ?? HOUR)
        const days =
          interval === 'hour' || interval === 'minute'
            ? times
            : times.map((time) => time.slice(0, 10))
        const labels = shown(days, interval, width)
        const dates = labels.filter((label) => /[A-Z]/.test(label))

        expect(new Set(dates).size).toBe(dates.length)
        for (const [at, label] of labels.entries()) expect(label).not.toBe(labels[at - 1])
      }),
    )
  })

  it('keep texts that are not days', () => {
    expect(shown(['pro', 'free'], 'hour')).toEqual(['pro', 'free'])
  })
})
