import { describe, expect, it } from 'vitest'
import type { StickinessQuery } from '#model/query-kinds/stickiness.schema.ts'
import { contextOf, startStores, type TestEvent } from '../../../../test/support/data/queries.ts'
import type { Context } from '../plan.ts'
import { compileStickinessQuery } from './compile.ts'

const on = (person: string, ...days: string[]): TestEvent[] =>
  days.map((at) => ({ person, at, event: 'visit' }))

async function start(events: readonly TestEvent[], given: Partial<Context> = {}) {
  const stores = await startStores()
  await stores.add(events)
  await stores.add(on('foreign', '2026-03-16', '2026-03-18'), 2)
  return (query: Partial<StickinessQuery>) =>
    stores.run(
      compileStickinessQuery(
        { kind: 'StickinessQuery', series: [{ event: 'visit' }], ...query },
        contextOf(given),
      ),
    )
}

const dateRange = { date_from: '2026-03-16' }

const EVENTS = [
  ...on('ada', '2026-03-16', '2026-03-17', '2026-03-18T08:00:00Z', '2026-03-18T09:00:00Z'),
  ...on('bob', '2026-03-16T10:00:00Z', '2026-03-16T11:00:00Z', '2026-03-18'),
  ...on('cy', '2026-03-15T23:59:59.999Z', '2026-03-17'),
  ...on('dan', '2026-03-18T23:59:59.999Z', '2026-03-19'),
  { person: 'eve', event: 'else', at: '2026-03-17' },
]

describe('stickiness', () => {
  it('counts persons by the number of intervals in which they were active', async () => {
    const run = await start(EVENTS)

    expect(await run({ dateRange })).toEqual([
      {
        label: 'visit',
        count: 4,
        data: [2, 1, 1],
        labels: ['1 day', '2 days', '3 days'],
        days: [1, 2, 3],
        action: {
          ...{ id: 'visit', name: 'visit', custom_name: null, order: 0 },
          ...{ math: 'total', type: 'events' },
        },
      },
    ])
  })

  it('includes persons with more intervals if it is cumulative', async () => {
    const run = await start(EVENTS)

    const [series] = await run({ dateRange, stickinessFilter: { computedAs: 'cumulative' } })

    expect(series).toMatchObject({ count: 4, data: [4, 2, 1] })
  })

  it.each([
    ['gte', 2, [2, 0, 0]],
    ['lte', 1, [3, 1, 0]],
    ['exact', 2, [2, 0, 0]],
    ['gte', 1, [2, 1, 1]],
    ['lte', 2, [2, 1, 1]],
    ['exact', 3, [0, 0, 0]],
  ] as const)('counts intervals with %s %i events', async (operator, value, data) => {
    const run = await start(EVENTS)
    const stickinessFilter = { stickinessCriteria: { operator, value } }

    expect((await run({ dateRange, stickinessFilter }))[0]?.data).toEqual(data)
  })

  it('counts several series separately', async () => {
    const run = await start(EVENTS)
    const series = [
      { event: 'else' },
      { event: null },
      { event: 'visit', custom_name: 'Came by' },
      { event: 'never' },
    ]
    const stickinessFilter = { stickinessCriteria: { operator: 'gte', value: 1 } } as const

    const results = await run({ dateRange, series })

    expect(results.map(({ label, data }) => [label, data])).toEqual([
      ['else', [1, 0, 0]],
      ['All events', [3, 1, 1]],
      ['Came by', [2, 1, 1]],
      ['never', [0, 0, 0]],
    ])
    expect(results.map(({ action }) => action.order)).toEqual([0, 1, 2, 3])
    expect(await run({ dateRange, series, stickinessFilter })).toEqual(results)
  })

  it('does not count an interval without events as one with few', async () => {
    const run = await start(EVENTS)
    const stickinessFilter = { stickinessCriteria: { operator: 'lte', value: 9 } } as const

    const results = await run({
      ...{ dateRange, stickinessFilter },
      series: [{ event: 'visit' }, { event: 'else' }],
    })

    expect(results.map(({ data }) => data)).toEqual([
      [2, 1, 1],
      [1, 0, 0],
    ])
  })

  it('compares with the previous period', async () => {
    const run = await start([...EVENTS, ...on('old', '2026-03-13', '2026-03-14', '2026-03-12')])

    const results = await run({ dateRange, compareFilter: { compare: true } })

    expect(results.map(({ compare_label, data }) => [compare_label, data])).toEqual([
      ['current', [2, 1, 1]],
      ['previous', [1, 1, 0]],
    ])
    expect(results.every(({ compare }) => compare)).toBe(true)
    const earlier = await run({ dateRange, compareFilter: { compare: true, compare_to: '-4d' } })
    expect(earlier.map(({ data }) => data)).toEqual([
      [2, 1, 1],
      [0, 0, 1],
    ])
  })

  it.each([62, 63, 248, 249])('counts up to %i intervals', async (days) => {
    const first = Temporal.PlainDate.from('2026-03-18').subtract({ days: days - 1 })
    const all = [...Array(days).keys()].map((index) => first.add({ days: index }).toString())
    const run = await start([...on('always', ...all), ...on('mostly', ...all.slice(1))])

    const [series] = await run({ dateRange: { date_from: first.toString() } })

    expect(series?.data).toEqual(all.map((_, index) => (index >= days - 2 ? 1 : 0)))
    expect(series?.labels.at(-1)).toBe(`${days} days`)
  })

  it('counts weeks, months and hours', async () => {
    const run = await start([
      ...on('ada', '2026-03-07T23:59:59Z', '2026-03-08', '2026-03-15'),
      ...on('bob', '2026-03-15', '2026-03-18T11:59:59Z', '2026-03-18T12:00:00Z'),
    ])
    const data = async (interval: 'hour' | 'week' | 'month', date_from: string) =>
      (await run({ interval, dateRange: { date_from } }))[0]?.data

    expect(await data('week', '2026-03-01')).toEqual([1, 0, 1])
    expect(await data('month', '2026-02-01')).toEqual([2, 0])
    expect(await data('hour', '-1h')).toEqual([0, 1])
  })

  it('applies the filters of the query, of a series and of test accounts', async () => {
    const visit = (person: string, plan: string): TestEvent => ({
      ...{ person, at: '2026-03-17', event: 'visit' },
      properties: { plan },
    })
    const run = await start([visit('ada', 'pro'), visit('bob', 'free'), visit('us', 'pro')], {
      testAccountFilters: [
        { key: 'distinct_id', type: 'event_metadata', operator: 'is_not', value: 'us' },
      ],
    })
    const properties = [{ key: 'plan', value: 'pro' }]
    const persons = async (query: Partial<StickinessQuery>) =>
      (await run({ dateRange, ...query })).map(({ count }) => count)

    expect(await persons({})).toEqual([3])
    expect(await persons({ properties })).toEqual([2])
    expect(await persons({ properties, filterTestAccounts: true })).toEqual([1])
    expect(await persons({ series: [{ event: 'visit', properties }, { event: 'visit' }] })).toEqual(
      [2, 3],
    )
  })

  it('is empty for a range that ends before it begins', async () => {
    const run = await start(EVENTS)

    const [series] = await run({ dateRange: { date_from: '2026-03-18', date_to: '2026-03-10' } })

    expect(series).toMatchObject({ count: 0, data: [], labels: [], days: [] })
  })
})
