import { describe, expect, it } from 'vitest'
import type { Interval } from '#model/query-kinds/common.schema.ts'
import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import { contextOf, startStores } from '../../../test/support/data/queries.ts'
import { compileTrendsQuery } from './trends/compile.ts'

const HOUR_MS = 3_600_000

/** Counts one event at each time, on both stores. */
async function countByInterval(
  times: readonly string[],
  zone: string,
  interval: Interval,
  [date_from, date_to]: readonly [string, string],
  math: 'total' | 'dau' = 'total',
): Promise<readonly number[]> {
  const stores = await startStores()
  await stores.add(times.map((at) => ({ at })))
  const query: TrendsQuery = {
    kind: 'TrendsQuery',
    series: [{ event: 'a', math }],
    interval,
    dateRange: { date_from, date_to },
  }
  const [line] = await stores.run(compileTrendsQuery(query, contextOf({ zone })))
  return line?.data ?? []
}

const everyHour = (from: string, to: string): string[] =>
  Array.from({ length: (Date.parse(to) - Date.parse(from)) / HOUR_MS }, (_, hour) =>
    new Date(Date.parse(from) + hour * HOUR_MS).toISOString(),
  )

describe('the intervals of events', () => {
  it('have the days of local clocks that go back past midnight', async () => {
    // at 0:01 it became 23:01 of the day before
    const times = [
      '2010-11-06T12:00:00Z',
      '2010-11-07T02:30:30Z',
      '2010-11-07T03:00:00Z',
      '2010-11-07T03:30:00Z',
    ]
    const days = ['2010-11-05', '2010-11-08'] as const

    const counts = await countByInterval(times, 'America/St_Johns', 'day', days)

    expect(counts).toEqual([0, 2, 2, 0])
    expect(await countByInterval(times, 'America/St_Johns', 'day', days, 'dau')).toEqual([
      0, 1, 1, 0,
    ])
  })

  it('have 23 and 25 hours on the days on which clocks change', async () => {
    const spring = everyHour('2026-03-27T23:00:00Z', '2026-03-30T22:00:00Z')
    const autumn = everyHour('2026-10-23T22:00:00Z', '2026-10-26T23:00:00Z')

    const count = (times: string[], from: string, to: string) =>
      countByInterval(times, 'Europe/Berlin', 'day', [from, to])
    expect(await count(spring, '2026-03-28', '2026-03-30')).toEqual([24, 23, 24])
    expect(await count(autumn, '2026-10-24', '2026-10-26')).toEqual([24, 25, 24])
  })

  it.each([
    ['hour', '2026-03-01', '2026-03-05', 5 * 24],
    ['hour', '2026-03-01', '2026-03-06', 6 * 24],
    ['week', '2024-01-07', '2026-03-07', 113],
    ['week', '2023-01-01', '2026-03-07', 166],
    ['month', '2024-04-01', '2026-03-31', 24],
    ['month', '2024-03-01', '2026-03-31', 25],
  ] as const)('contain their first and last moment: %s from %s to %s', async (...given) => {
    const [interval, from, to, length] = given
    const next = new Date(Date.parse(to) + 24 * HOUR_MS)
    const last = new Date(next.getTime() - 1).toISOString()

    const counts = await countByInterval([from, last, next.toISOString()], 'UTC', interval, [
      from,
      to,
    ])

    expect(counts).toHaveLength(length)
    expect([counts[0], counts.at(-1)]).toEqual([1, 1])
  })
})
