import { expect, it } from 'vitest'
import type { TrendSeries } from '#model/query-results.ts'
import { toChart } from './new-events.ts'

const PARTS = [{ start: '2026-03-01T22:00:00.000Z', events: 5 }]

it.each([
  ['last_24_hours', 'UTC', '2026-03-01 22:00:00'],
  ['last_24_hours', 'Asia/Tokyo', '2026-03-02 07:00:00'],
  ['last_30_days', 'Asia/Tokyo', '2026-03-01'],
] as const)('shows new events of the %s in the zone %s', (period, zone, day) => {
  const { result } = toChart(period, PARTS, zone)

  expect((result as TrendSeries[])[0]).toMatchObject({ days: [day], data: [5] })
})
