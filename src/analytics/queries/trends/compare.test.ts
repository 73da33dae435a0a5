import { describe, expect, it } from 'vitest'
import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import { contextOf, startStores, type TestEvent } from '../../../../test/support/data/queries.ts'
import { compileTrendsQuery } from './compile.ts'

async function start(events: readonly TestEvent[]) {
  const stores = await startStores()
  await stores.add(events)
  const dateRange = { date_from: '2026-03-16', date_to: '2026-03-17' }
  return (query: Omit<TrendsQuery, 'kind'>) =>
    stores.run(compileTrendsQuery({ kind: 'TrendsQuery', dateRange, ...query }, contextOf()))
}

describe('a comparison', () => {
  it('returns the current period, then the previous one with its own days', async () => {
    const run = await start([
      { at: '2026-03-14' },
      { at: '2026-03-15' },
      { at: '2026-03-15' },
      { at: '2026-03-17' },
    ])

    expect(await run({ series: [{}], compareFilter: { compare: true } })).toMatchObject([
      { compare: true, compare_label: 'current', data: [0, 1], days: ['2026-03-16', '2026-03-17'] },
      {
        compare: true,
        compare_label: 'previous',
        data: [1, 2],
        days: ['2026-03-14', '2026-03-15'],
      },
    ])
  })

  it('can be with the week before', async () => {
    const run = await start([{ at: '2026-03-10' }, { at: '2026-03-15' }])
    const compareFilter = { compare: true, compare_to: '-1w' }

    expect(await run({ series: [{}], compareFilter })).toMatchObject([
      { data: [0, 0] },
      { data: [0, 1], days: ['2026-03-09', '2026-03-10'] },
    ])
  })

  it.each([
    ['a whole month', '2026-03-01', '2026-03-31', ['2026-02-01'], [1]],
    ['a part of a month', '2026-03-01', '2026-03-30', ['2026-02-01'], [1]],
    ['the first days', '2026-03-01', '2026-03-16', ['2026-02-01'], [0]],
    [
      'several months',
      '2026-05-01',
      '2026-07-31',
      ['2026-02-01', '2026-03-01', '2026-04-01'],
      [1, 1, 0],
    ],
    ['days in two months', '2026-03-16', '2026-04-15', ['2026-02-01', '2026-03-01'], [1, 1]],
  ])('is with whole months if it is by month: %s', async (_, date_from, date_to, days, data) => {
    const run = await start([{ at: '2026-01-30' }, { at: '2026-02-28' }, { at: '2026-03-15' }])

    const [, previous] = await run({
      series: [{}],
      interval: 'month',
      dateRange: { date_from, date_to },
      compareFilter: { compare: true },
    })

    expect(previous).toMatchObject({ compare_label: 'previous', days, data })
  })

  it('is off by default', async () => {
    const run = await start([])

    for (const compareFilter of [{ compare: false, compare_to: '-1w' }, {}, null]) {
      const result = await run({ series: [{}], compareFilter })
      expect(result).toHaveLength(1)
      expect(result[0]).not.toHaveProperty('compare_label')
    }
  })

  it("compares the current period's largest values", async () => {
    const of = (plan: string, at: string) => ({ at, properties: { plan } })
    const run = await start([
      of('new', '2026-03-16'),
      of('new', '2026-03-17'),
      of('old', '2026-03-14'),
      of('old', '2026-03-14'),
      of('old', '2026-03-14'),
      of('older', '2026-03-15'),
    ])

    const result = await run({
      series: [{}],
      compareFilter: { compare: true },
      breakdownFilter: { breakdown: 'plan', breakdown_limit: 1 },
    })

    expect(result.map(({ label, compare_label, data }) => [label, compare_label, data])).toEqual([
      ['new', 'current', [1, 1]],
      ['new', 'previous', [0, 0]],
      ['Other (all remaining values)', 'current', [0, 0]],
      ['Other (all remaining values)', 'previous', [3, 1]],
    ])
  })
})
