import { describe, expect, it } from 'vitest'
import { numbered, startBoth } from '../../../../test/support/data/user-sql.ts'

/** 0:30 and 3:30 in Berlin, where 29 March had 23 hours. */
const NIGHT = numbered([
  { timestamp: '2026-03-28T23:30:00.000Z' },
  { timestamp: '2026-03-29T01:30:00.250Z' },
  { timestamp: '2026-10-25T00:30:00.000Z' },
  { timestamp: '2026-10-25T01:30:00.000Z' },
])

const GOLDEN: readonly (readonly [expression: string, values: readonly unknown[]])[] = [
  ['timestamp', NIGHT.map(({ timestamp }) => timestamp)],
  ['toDate(timestamp)', ['2026-03-29', '2026-03-29', '2026-10-25', '2026-10-25']],
  [
    'toStartOfDay(timestamp)',
    [
      '2026-03-28T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-10-24T22:00:00.000Z',
      '2026-10-24T22:00:00.000Z',
    ],
  ],
  ['toStartOfWeek(timestamp)', ['2026-03-29', '2026-03-29', '2026-10-25', '2026-10-25']],
  ['toStartOfWeek(timestamp, 1)', ['2026-03-23', '2026-03-23', '2026-10-19', '2026-10-19']],
  ['toStartOfMonth(timestamp)', ['2026-03-01', '2026-03-01', '2026-10-01', '2026-10-01']],
  [
    "timestamp + interval '1 day'",
    [
      '2026-03-29T22:30:00.000Z',
      '2026-03-30T01:30:00.250Z',
      '2026-10-26T01:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ],
  ],
  [
    'timestamp + interval 24 hour',
    [
      '2026-03-29T23:30:00.000Z',
      '2026-03-30T01:30:00.250Z',
      '2026-10-26T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ],
  ],
  [
    'timestamp - toIntervalMonth(1)',
    [
      '2026-02-27T23:30:00.000Z',
      '2026-02-28T02:30:00.250Z',
      '2026-09-25T00:30:00.000Z',
      '2026-09-25T00:30:00.000Z',
    ],
  ],
  ['toHour(timestamp)', [0, 3, 2, 2]],
  ['extract(minute from timestamp)', [30, 30, 30, 30]],
  [
    'toString(timestamp)',
    ['2026-03-29 00:30:00', '2026-03-29 03:30:00.25', '2026-10-25 02:30:00', '2026-10-25 02:30:00'],
  ],
  ["dateDiff('day', timestamp, toDateTime('2026-04-01'))", [3, 3, -207, -207]],
  ["dateDiff('month', timestamp, '2027-01-01')", [10, 10, 3, 3]],
  ["dateDiff('week', '2026-03-22', timestamp)", [1, 1, 31, 31]],
  ["dateDiff('hour', '2026-03-29 00:00', timestamp) < 3", [true, true, false, false]],
  ["timestamp >= '2026-03-29' and timestamp < '2026-03-30'", [true, true, false, false]],
  ["timestamp >= '2026-03-29T00:00:00Z'", [false, true, true, true]],
  ["toDate(timestamp) = '2026-03-29'", [true, true, false, false]],
  ['today() - toDate(timestamp)', [2, 2, -208, -208]],
  ['now()', Array(4).fill('2026-03-31T12:00:00.000Z')],
  ['today() - 7', Array(4).fill('2026-03-24')],
  ['now() - interval 7 day', Array(4).fill('2026-03-24T13:00:00.000Z')],
  ['toUnixTimestamp(toDateTime(86400))', Array(4).fill(86_400)],
]

describe('times in SQL', () => {
  it("follow the project's time zone, on both databases", async () => {
    const stores = await startBoth(NIGHT)

    for (const [expression, values] of GOLDEN) {
      for (const store of stores) {
        const { results } = await store.run(`select ${expression} from events order by uuid`)
        expect({ expression, values: results.flat() }).toEqual({ expression, values })
      }
    }
  })

  it('follow another time zone if the project has it', async () => {
    for (const store of await startBoth(NIGHT)) {
      const text =
        'select toStartOfDay(timestamp) as day, count() from events group by day order by day'
      const { results } = await store.run(text, { zone: 'Asia/Kathmandu' })

      expect(results).toEqual([
        ['2026-03-28T18:15:00.000Z', 2],
        ['2026-10-24T18:15:00.000Z', 2],
      ])
    }
  })
})
