import { describe, expect, it } from 'vitest'
import type { LifecycleQuery } from '#model/query-kinds/lifecycle.schema.ts'
import type { LifecycleSeries } from '#model/query-results.ts'
import { contextOf, startStores, type TestEvent } from '../../../../test/support/data/queries.ts'
import type { Context } from '../plan.ts'
import { compileLifecycleQuery } from './compile.ts'

const on = (person: string, ...days: string[]): TestEvent[] =>
  days.map((at) => ({ person, at, event: 'visit' }))

const dataOf = (series: readonly LifecycleSeries[]) =>
  Object.fromEntries(series.map(({ status, data }) => [status, data]))

async function start(events: readonly TestEvent[], given: Partial<Context> = {}) {
  const stores = await startStores()
  await stores.add(events)
  await stores.add(on('foreign', '2026-03-15', '2026-03-16', '2026-03-18'), 2)
  return (query: Partial<LifecycleQuery>) =>
    stores.run(
      compileLifecycleQuery(
        { kind: 'LifecycleQuery', series: [{ event: 'visit' }], ...query },
        contextOf(given),
      ),
    )
}

describe('lifecycle', () => {
  it('tells new, returning, resurrecting and dormant persons apart', async () => {
    const run = await start([
      ...on('new', '2026-03-16T08:00:00Z', '2026-03-16T09:00:00Z'),
      ...on('faithful', '2026-03-16', '2026-03-17', '2026-03-18'),
      ...on('back', '2024-01-01', '2026-03-18T23:59:59.999Z'),
      ...on('before', '2026-03-15', '2026-03-16'),
      ...on('on and off', '2026-03-16', '2026-03-18'),
      ...on('later', '2026-03-19'),
      { person: 'other', event: 'else', at: '2026-03-17' },
    ])

    const series = await run({ dateRange: { date_from: '2026-03-16' } })

    expect(series.map(({ status }) => status)).toEqual([
      'new',
      'returning',
      'resurrecting',
      'dormant',
    ])
    expect(dataOf(series)).toEqual({
      new: [3, 0, 0],
      returning: [1, 1, 1],
      resurrecting: [0, 0, 2],
      dormant: [0, -3, 0],
    })
  })

  it('describes each series', async () => {
    const run = await start(on('ada', '2026-03-18'))

    const [fresh] = await run({
      series: [{ event: 'visit', name: 'Visit', custom_name: 'Came by' }],
      dateRange: { date_from: '-1d' },
    })

    expect(fresh).toEqual({
      label: 'Came by - new',
      status: 'new',
      count: 1,
      data: [0, 1],
      labels: ['17-Mar-2026', '18-Mar-2026'],
      days: ['2026-03-17', '2026-03-18'],
      unfinished: true,
      action: {
        ...{ id: 'visit', name: 'Visit', custom_name: 'Came by', order: 0 },
        ...{ math: 'total', type: 'events' },
      },
    })
  })

  it('counts whole weeks even if the range begins within one', async () => {
    const run = await start([
      ...on('ada', '2026-03-01', '2026-03-08', '2026-03-21T23:00:00Z'),
      ...on('bob', '2026-03-07T23:59:59Z', '2026-03-08'),
    ])

    const series = await run({
      interval: 'week',
      dateRange: { date_from: '2026-03-11', date_to: '2026-03-18' },
    })

    expect(series[0]?.days).toEqual(['2026-03-08', '2026-03-15'])
    expect(dataOf(series)).toEqual({
      new: [0, 0],
      returning: [2, 1],
      resurrecting: [0, 0],
      dormant: [0, -1],
    })
  })

  it('counts by hour and month', async () => {
    const run = await start([
      ...on('ada', '2026-03-18T10:59:59Z', '2026-03-18T11:00:00Z'),
      ...on('bob', '2026-01-31', '2026-03-01'),
    ])

    const hours = await run({ interval: 'hour', dateRange: { date_from: '-2h' } })
    const months = await run({ interval: 'month', dateRange: { date_from: '-1mStart' } })

    expect(hours[0]?.days).toEqual([
      '2026-03-18 10:00:00',
      '2026-03-18 11:00:00',
      '2026-03-18 12:00:00',
    ])
    expect(dataOf(hours)).toEqual({
      new: [1, 0, 0],
      returning: [0, 1, 0],
      resurrecting: [0, 0, 0],
      dormant: [0, 0, -1],
    })
    expect(dataOf(months)).toEqual({
      new: [0, 1],
      returning: [0, 0],
      resurrecting: [0, 1],
      dormant: [-1, 0],
    })
  })

  it.each([62, 63, 124, 125, 247, 248, 300])('counts persons over %i days', async (days) => {
    const first = Temporal.PlainDate.from('2026-03-18').subtract({ days: days - 1 })
    const all = [...Array(days).keys()].map((index) => first.add({ days: index }).toString())
    const run = await start([
      ...on('always', ...all),
      ...on('alternating', ...all.filter((_, index) => index % 2 === 0)),
      ...on('edges', first.toString(), '2026-03-18'),
    ])

    const {
      new: fresh,
      returning,
      resurrecting,
      dormant,
    } = dataOf(await run({ dateRange: { date_from: first.toString() } }))

    const isEven = (index: number) => index % 2 === 0 && index > 0
    const isLast = (index: number) => index === days - 1
    expect(fresh).toEqual(all.map((_, index) => (index === 0 ? 3 : 0)))
    expect(returning).toEqual(all.map((_, index) => (index === 0 ? 0 : 1)))
    expect(resurrecting).toEqual(
      all.map((_, index) => (isEven(index) ? 1 : 0) + (isLast(index) ? 1 : 0)),
    )
    expect(dormant).toEqual(all.map((_, index) => 0 - (index % 2) - (index === 1 ? 1 : 0)))
  })

  it('returns only the toggled statuses, in the usual order', async () => {
    const run = await start(on('ada', '2026-03-18'))
    const statuses = async (toggledLifecycles: readonly string[] | null) =>
      (await run({ lifecycleFilter: { toggledLifecycles } as never })).map(({ status }) => status)

    expect(await statuses(['dormant', 'new'])).toEqual(['new', 'dormant'])
    expect(await statuses([])).toEqual([])
    expect(await statuses(null)).toHaveLength(4)
  })

  it('considers only earlier events that the query counts', async () => {
    const visit = (at: string, plan: string, person = 'ada'): TestEvent => ({
      ...{ person, at, event: 'visit' },
      properties: { plan },
    })
    const run = await start(
      [visit('2026-03-01', 'free'), visit('2026-03-18', 'pro'), visit('2026-03-18', 'pro', 'us')],
      { testAccountFilters: [{ key: 'distinct_id', type: 'event_metadata', value: 'ada' }] },
    )
    const pro = [{ key: 'plan', value: 'pro' }]
    const dateRange = { date_from: '-0d' }

    expect(dataOf(await run({ dateRange }))).toMatchObject({ new: [1], resurrecting: [1] })
    expect(dataOf(await run({ dateRange, properties: pro }))).toMatchObject({ new: [2] })
    expect(
      dataOf(await run({ dateRange, series: [{ event: null, properties: pro }] })),
    ).toMatchObject({ new: [2] })
    expect(dataOf(await run({ dateRange, filterTestAccounts: true }))).toMatchObject({
      new: [0],
      resurrecting: [1],
    })
  })

  it('is empty for a range that ends before it begins', async () => {
    const run = await start(on('ada', '2026-03-18'))

    const series = await run({ dateRange: { date_from: '2026-03-18', date_to: '2026-03-10' } })

    expect(dataOf(series)).toEqual({ new: [], returning: [], resurrecting: [], dormant: [] })
  })
})
