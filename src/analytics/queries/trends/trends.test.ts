import { describe, expect, it } from 'vitest'
import { OTHER } from '#model/format.ts'
import type { MATHS } from '#model/query-kinds/common.schema.ts'
import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import { contextOf, startStores, type TestEvent } from '../../../../test/support/data/queries.ts'
import type { Context } from '../plan.ts'
import { compileTrendsQuery } from './compile.ts'

const THREE_DAYS = { date_from: '2026-03-16', date_to: '2026-03-18' }

async function start(events: readonly TestEvent[], context: Partial<Context> = {}) {
  const stores = await startStores()
  await stores.add(events)
  const foreign = {
    person: 'canary',
    properties: { amount: 9e9, plan: 'canary', $session_id: 'x' },
  }
  await stores.add(
    [
      { ...foreign, at: '2026-03-17' },
      { ...foreign, at: '2026-03-29' },
    ],
    2,
  )
  return (query: Omit<TrendsQuery, 'kind'>) =>
    stores.run(
      compileTrendsQuery(
        { kind: 'TrendsQuery', dateRange: THREE_DAYS, ...query },
        contextOf(context),
      ),
    )
}

/** Four events of two persons on the first day, one on the last. */
const EVENTS: readonly TestEvent[] = [
  { person: 'ada', at: '2026-03-16T08:00:00Z', properties: { amount: 1, $session_id: 's1' } },
  { person: 'ada', at: '2026-03-16T09:00:00Z', properties: { amount: '2.5', $session_id: 's1' } },
  { person: 'bob', at: '2026-03-16T10:00:00Z', properties: { amount: 10, $session_id: 's2' } },
  { person: 'bob', at: '2026-03-16T11:00:00Z', properties: { amount: 'many' } },
  { person: 'ada', at: '2026-03-18T08:00:00Z', properties: { amount: -4, $session_id: 's3' } },
]

describe('a trend', () => {
  it("counts events by day, in upstream's shape", async () => {
    const run = await start([
      { event: 'a', at: '2026-03-15T23:59:59.999Z' },
      { event: 'a', at: '2026-03-16T00:00:00Z' },
      { event: 'b', at: '2026-03-16T10:00:00Z' },
      { event: 'a', at: '2026-03-18T23:59:59.999Z' },
      { event: 'a', at: '2026-03-19T00:00:00Z' },
    ])

    expect(await run({ series: [{ event: 'a' }, { event: null, custom_name: 'Any' }] })).toEqual([
      {
        label: 'a',
        count: 2,
        data: [1, 0, 1],
        labels: ['16-Mar-2026', '17-Mar-2026', '18-Mar-2026'],
        days: ['2026-03-16', '2026-03-17', '2026-03-18'],
        unfinished: true,
        action: { id: 'a', name: 'a', custom_name: null, order: 0, math: 'total', type: 'events' },
      },
      expect.objectContaining({ label: 'Any', count: 3, data: [2, 0, 1] }),
    ])
  })

  it.each([
    ['total', [4, 0, 1], 5],
    ['dau', [2, 0, 1], 2],
    ['weekly_active', [2, 2, 2], 2],
    ['unique_session', [2, 0, 1], 3],
    ['first_time_for_user', [2, 0, 0], 2],
    ['sum', [13.5, 0, -4], 9.5],
    ['avg', [4.5, 0, -4], 2.375],
    ['min', [1, 0, -4], -4],
    ['max', [10, 0, -4], 10],
    ['median', [2.5, 0, -4], 1.75],
    ['p75', [6.25, 0, -4], 4.375],
    ['p90', [8.5, 0, -4], 7.75],
    ['p95', [9.25, 0, -4], 8.875],
    ['p99', [9.85, 0, -4], 9.775],
  ] as const)('computes %s by day and for the whole range', async (math, byDay, whole) => {
    const run = await start(EVENTS)
    const series = [{ event: 'a', math, math_property: 'amount' }]

    expect(await run({ series })).toMatchObject([{ data: byDay }])
    const one = (display: 'BoldNumber' | 'ActionsPie') => run({ series, trendsFilter: { display } })
    expect(await one('BoldNumber')).toMatchObject([
      {
        data: byDay,
        days: expect.arrayContaining(['2026-03-18']),
        aggregated_value: whole,
        count: whole,
      },
    ])
    expect(await one('ActionsPie')).toMatchObject([
      { data: [], labels: [], days: [], aggregated_value: whole, count: whole },
    ])
  })

  it('has no numbers over time if there are several numbers or too many intervals', async () => {
    const run = await start(EVENTS)
    const data = async (more: object) => {
      const results = await run({
        series: [{ event: 'a' }],
        trendsFilter: { display: 'BoldNumber' },
        ...more,
      })
      return results.map((series) => series.data.length)
    }

    expect(await data({ series: [{ event: 'a' }, { event: 'b' }] })).toEqual([0, 0])
    expect(await data({ interval: 'minute' })).toEqual([0])
    expect(await data({ interval: 'hour' })).toEqual([72])
  })

  it('counts persons as active for a number of days', async () => {
    const run = await start([
      { person: 'ada', at: '2026-03-10T00:00:00Z' },
      { person: 'ada', at: '2026-03-10T23:00:00Z' },
      { person: 'bob', at: '2026-02-16T00:00:00Z' },
      { person: 'cyd', at: '2026-02-14T23:59:59Z' },
    ])
    const active = (math: 'weekly_active' | 'monthly_active') => run({ series: [{ math }] })

    expect(await active('weekly_active')).toMatchObject([{ data: [1, 0, 0] }])
    expect(await active('monthly_active')).toMatchObject([{ data: [2, 2, 1] }])
  })

  it('counts a first time only on its day, and only if it matches', async () => {
    const run = await start([
      { person: 'ada', at: '2026-03-01', properties: { plan: 'free' } },
      { person: 'ada', at: '2026-03-16', properties: { plan: 'pro' } },
      { person: 'bob', at: '2026-03-17', properties: { plan: 'pro' } },
      { person: 'bob', at: '2026-03-18', properties: { plan: 'free' } },
    ])
    const first = (properties: TrendsQuery['properties']) =>
      run({ series: [{ event: 'a', math: 'first_time_for_user', properties }] })

    expect(await first([])).toMatchObject([{ data: [0, 1, 0] }])
    expect(await first([{ key: 'plan', value: 'pro' }])).toMatchObject([{ data: [0, 1, 0] }])
    expect(await first([{ key: 'plan', value: 'free' }])).toMatchObject([{ data: [0, 0, 0] }])
    const series = [{ event: 'a', math: 'first_time_for_user' as const }]
    expect(await run({ series, trendsFilter: { display: 'BoldNumber' } })).toMatchObject([
      { aggregated_value: 1 },
    ])
  })

  it('applies the filters of the query, of a series and of test accounts', async () => {
    const team = { key: 'plan', operator: 'is_not', value: 'team' } as const
    const run = await start(
      [
        { at: '2026-03-16', properties: { plan: 'team', os: 'x' } },
        { at: '2026-03-16', properties: { plan: 'pro', os: 'x' } },
        { at: '2026-03-16', properties: { plan: 'pro' } },
        { at: '2026-03-16', properties: { os: 'x' } },
      ],
      { testAccountFilters: [team] },
    )
    const series = [{ event: 'a' }]
    const properties = [{ key: 'os', value: 'x' }]
    const ofPro = [{ event: 'a', properties: [{ key: 'plan', value: 'pro' }] }]

    expect(await run({ series, properties })).toMatchObject([{ count: 3 }])
    expect(await run({ series, properties, filterTestAccounts: true })).toMatchObject([
      { count: 2 },
    ])
    expect(await run({ series: ofPro, properties })).toMatchObject([{ count: 1 }])
  })

  it('accumulates events, and counts someone who comes back once', async () => {
    const run = await start(EVENTS)
    const trendsFilter = { display: 'ActionsLineGraphCumulative' } as const
    const accumulate = async (math: (typeof MATHS)[number]) => {
      const [series] = await run({ series: [{ math, math_property: 'amount' }], trendsFilter })
      return [series?.data, series?.count]
    }

    expect(await accumulate('total')).toEqual([[4, 4, 5], 5])
    expect(await accumulate('sum')).toEqual([[13.5, 13.5, 9.5], 9.5])
    expect(await accumulate('dau')).toEqual([[2, 2, 2], 2])
    expect(await accumulate('weekly_active')).toEqual([[2, 2, 2], 2])
    expect(await accumulate('unique_session')).toEqual([[2, 2, 3], 3])
    expect(await accumulate('avg')).toEqual([[4.5, 4.5, 2.375], 2.375])
    expect(await accumulate('min')).toEqual([[1, 1, -4], -4])
    expect(await accumulate('median')).toEqual([[2.5, 2.5, 1.75], 1.75])
  })

  it('counts a person of several remaining values once in a cumulative line', async () => {
    const visit = (person: string, day: number, page: string) => ({
      person,
      at: `2026-03-${day}T08:00:00Z`,
      properties: { page },
    })
    const run = await start([
      visit('ada', 16, '/'),
      visit('bob', 16, '/'),
      visit('ada', 17, '/docs'),
      visit('ada', 18, '/blog'),
    ])
    const breakdownFilter = { breakdown: 'page', breakdown_limit: 1 }
    const trendsFilter = { display: 'ActionsLineGraphCumulative' } as const

    expect(await run({ series: [{ math: 'dau' }], breakdownFilter, trendsFilter })).toMatchObject([
      { breakdown_value: '/', data: [2, 2, 2] },
      { breakdown_value: OTHER, data: [0, 1, 1] },
    ])
  })

  it('smooths over the previous days', async () => {
    const run = await start(EVENTS)

    expect(await run({ series: [{}], trendsFilter: { smoothingIntervals: 2 } })).toMatchObject([
      { data: [4, 2, 0.5], count: 5 },
    ])
  })

  it('counts days of 23 and 25 hours, and weeks and months in the project’s time zone', async () => {
    const events = [
      '2026-03-28T22:59:59Z', // Saturday, 23:59:59
      '2026-03-28T23:00:00Z', // Sunday, 0:00
      '2026-03-29T21:59:59Z', // Sunday, 23:59:59 in summer
      '2026-03-29T22:00:00Z', // Monday, 0:00
      '2026-03-31T22:00:00Z', // 1 April, 0:00
    ].map((at) => ({ at }))
    const run = await start(events, { zone: 'Europe/Berlin', weekStart: 1 })
    const dateRange = { date_from: '2026-03-28', date_to: '2026-04-01' }
    const by = (interval: TrendsQuery['interval']) => run({ series: [{}], interval, dateRange })

    expect(await by('day')).toMatchObject([{ data: [1, 2, 1, 0, 1] }])
    expect(await by('week')).toMatchObject([{ data: [3, 2], days: ['2026-03-23', '2026-03-30'] }])
    expect(await by('month')).toMatchObject([{ data: [4, 1], days: ['2026-03-01', '2026-04-01'] }])
  })

  it('returns a repeated hour twice', async () => {
    const events = ['2025-10-26T00:30:00Z', '2025-10-26T01:30:00Z'].map((at) => ({ at }))
    const run = await start(events, { zone: 'Europe/Berlin' })
    const dateRange = { date_from: '2025-10-26', date_to: '2025-10-26' }

    const [hours] = await run({ series: [{}], interval: 'hour', dateRange })

    expect(hours?.data.slice(0, 5)).toEqual([0, 0, 1, 1, 0])
    expect(hours?.labels.slice(2, 5)).toEqual([
      '26-Oct-2025 02:00',
      '26-Oct-2025 02:00',
      '26-Oct-2025 03:00',
    ])
    expect(hours?.days).toHaveLength(25)
  })

  it('counts months before 1970', async () => {
    const run = await start(
      ['1969-11-30T23:59:59Z', '1969-12-01', '1970-01-01'].map((at) => ({ at })),
    )
    const dateRange = { date_from: '1969-11-15', date_to: '1970-01-15' }

    expect(await run({ series: [{}], interval: 'month', dateRange })).toMatchObject([
      { data: [1, 1, 1] },
    ])
  })

  it('is empty for a range that ends before it begins', async () => {
    const run = await start(EVENTS)
    const dateRange = { date_from: '2026-03-18', date_to: '2026-03-16' }

    const result = await run({
      series: [{}, { math: 'weekly_active' }],
      dateRange,
      compareFilter: { compare: true },
    })

    expect(result).toHaveLength(4)
    expect(result[0]).toMatchObject({ data: [], count: 0 })
  })

  it('requires a property for math that needs one', async () => {
    const run = await start([])

    expect(() => run({ series: [{}, { math: 'sum' }] })).toThrow(
      expect.objectContaining({
        statusCode: 400,
        code: 'required',
        attr: 'query__series__1__math_property',
      }),
    )
  })
})
