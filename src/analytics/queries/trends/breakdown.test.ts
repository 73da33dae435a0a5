import { describe, expect, it } from 'vitest'
import { NONE, OTHER } from '#model/format.ts'
import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import { contextOf, startStores, type TestEvent } from '../../../../test/support/data/queries.ts'
import { compileTrendsQuery } from './compile.ts'

const DAY = { date_from: '2026-03-18', date_to: '2026-03-18' }

async function start(events: readonly TestEvent[]) {
  const stores = await startStores()
  await stores.add(events)
  await stores.add([{ at: '2026-03-18', properties: { plan: 'canary' } }], 2)
  return async (query: Omit<TrendsQuery, 'kind'>) => {
    const plan = compileTrendsQuery({ kind: 'TrendsQuery', dateRange: DAY, ...query }, contextOf())
    const result = await stores.run(plan)
    return result.map(({ label, breakdown_value, count }) => [label, breakdown_value, count])
  }
}

/** Creates this number of events for each plan, all by one person. */
const plans = (counts: Readonly<Record<string, number>>): TestEvent[] =>
  Object.entries(counts).flatMap(([plan, count]) =>
    Array.from({ length: count }, () => ({ at: '2026-03-18', properties: { plan } })),
  )

describe('a breakdown', () => {
  it('sorts values by count, then by their bytes', async () => {
    const run = await start(plans({ pro: 2, Zed: 1, ant: 1, Äh: 1, big: 3 }))

    expect(await run({ series: [{}], breakdownFilter: { breakdown: 'plan' } })).toEqual([
      ['big', 'big', 3],
      ['pro', 'pro', 2],
      ['Zed', 'Zed', 1],
      ['ant', 'ant', 1],
      ['Äh', 'Äh', 1],
    ])
  })

  it('merges the rest at the end, or omits it', async () => {
    const run = await start(plans({ a: 2, b: 3, c: 2, d: 4 }))
    const breakdownFilter = { breakdown: 'plan', breakdown_limit: 2 }

    const shown = [
      ['d', 'd', 4],
      ['b', 'b', 3],
    ]
    expect(await run({ series: [{}], breakdownFilter })).toEqual([
      ...shown,
      ['Other (all remaining values)', OTHER, 4],
    ])
    const hidden = { ...breakdownFilter, breakdown_hide_other_aggregation: true }
    expect(await run({ series: [{}], breakdownFilter: hidden })).toEqual(shown)
  })

  it('returns 25 values by default', async () => {
    const names = Array.from({ length: 30 }, (_, index) => [`v${index}`, 1])
    const run = await start(plans(Object.fromEntries(names)))

    expect(await run({ series: [{}], breakdownFilter: { breakdown: 'plan' } })).toHaveLength(26)
    const all = { breakdown: 'plan', breakdown_limit: 100 }
    expect(await run({ series: [{}], breakdownFilter: all })).toHaveLength(30)
  })

  it('counts persons with several of the remaining values once', async () => {
    const run = await start(plans({ a: 1, b: 1, c: 1 }))
    const breakdownFilter = { breakdown: 'plan', breakdown_limit: 1 }

    for (const math of ['dau', 'weekly_active', 'monthly_active'] as const) {
      expect(await run({ series: [{ math }], breakdownFilter })).toMatchObject([
        ['a', 'a', 1],
        [expect.anything(), OTHER, 1],
      ])
    }
  })

  it('includes events without the property', async () => {
    const run = await start([
      { at: '2026-03-18' },
      { at: '2026-03-18', properties: { plan: null } },
      { at: '2026-03-18', properties: { plan: '' } },
      ...plans({ pro: 1 }),
    ])

    expect(await run({ series: [{}], breakdownFilter: { breakdown: 'plan' } })).toEqual([
      ['None (no value)', NONE, 3],
      ['pro', 'pro', 1],
    ])
  })

  it('supports several properties and other columns of an event', async () => {
    const run = await start([
      { at: '2026-03-18', properties: { plan: 'pro', os: 'x' } },
      { at: '2026-03-18', properties: { plan: 'pro' } },
      { at: '2026-03-18', properties: { plan: 'pro' } },
    ])
    const expected = [
      ['pro::None (no value)', `pro::${NONE}`, 2],
      ['pro::x', 'pro::x', 1],
    ]

    const breakdowns = [{ property: 'plan' }, { property: 'os' }]
    expect(await run({ series: [{}], breakdownFilter: { breakdowns } })).toEqual(expected)
    expect(await run({ series: [{}], breakdownFilter: { breakdown: ['plan', 'os'] } })).toEqual(
      expected,
    )
    const person = { breakdown: 'distinct_id', breakdown_type: 'event_metadata' } as const
    expect(await run({ series: [{}], breakdownFilter: person })).toEqual([['ada', 'ada', 3]])
  })

  it('chooses values per series, and names the series if there are several', async () => {
    const run = await start([
      ...plans({ pro: 2, free: 1 }),
      { event: 'b', at: '2026-03-18', properties: { plan: 'free' } },
    ])
    const breakdownFilter = {
      breakdown: 'plan',
      breakdown_limit: 1,
      breakdown_hide_other_aggregation: true,
    }

    expect(await run({ series: [{ event: 'a' }, { event: 'b' }], breakdownFilter })).toEqual([
      ['a - pro', 'pro', 2],
      ['b - free', 'free', 1],
    ])
  })

  it('ranks values by the aggregated number', async () => {
    const of = (plan: string, amount: number) => ({
      at: '2026-03-18',
      properties: { plan, amount },
    })
    const run = await start([of('many', 1), of('many', 1), of('large', 50)])
    const values = async (math: 'sum' | 'total' | 'p90') => {
      const series = [{ math, math_property: 'amount' }]
      return (await run({ series, breakdownFilter: { breakdown: 'plan' } })).map(([label]) => label)
    }

    expect(await values('total')).toEqual(['many', 'large'])
    expect(await values('sum')).toEqual(['large', 'many'])
    expect(await values('p90')).toEqual(['large', 'many'])
  })

  it('averages events, even over several values', async () => {
    const of = (plan: string, amount: number) => ({
      at: '2026-03-18',
      properties: { plan, amount },
    })
    const run = await start([of('a', 90), of('a', 30), of('b', 1), of('b', 2), of('c', 6)])
    const breakdownFilter = { breakdown: 'plan', breakdown_limit: 1 }

    expect(
      await run({ series: [{ math: 'avg', math_property: 'amount' }], breakdownFilter }),
    ).toEqual([
      ['a', 'a', 60],
      ['Other (all remaining values)', OTHER, 3],
    ])
  })

  it('is ignored if it names no property', async () => {
    const run = await start(plans({ pro: 1 }))

    for (const breakdownFilter of [
      {},
      { breakdown: null },
      { breakdown: [] },
      { breakdowns: [] },
    ]) {
      expect(await run({ series: [{}], breakdownFilter })).toEqual([['All events', undefined, 1]])
    }
  })
})
