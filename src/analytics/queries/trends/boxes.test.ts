import { describe, expect, it } from 'vitest'
import { readBoxes } from '#model/box-plot.ts'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import { contextOf, startStores, type TestEvent } from '../../../../test/support/data/queries.ts'
import { compileTrendsQuery } from './compile.ts'

const paid = (price: number, at: string): TestEvent => ({
  event: 'paid',
  at,
  properties: { price },
})
const PRICE: EventsNode = { event: 'paid', math: 'avg', math_property: 'price' }

async function start(events: readonly TestEvent[] = []) {
  const stores = await startStores()
  await stores.add(events)
  const dateRange = { date_from: '2026-03-16', date_to: '2026-03-18' }
  return (query: Partial<TrendsQuery>) =>
    stores.run(
      compileTrendsQuery(
        {
          kind: 'TrendsQuery',
          dateRange,
          series: [PRICE],
          trendsFilter: { display: 'BoxPlot' },
          ...query,
        },
        contextOf(),
      ),
    )
}

describe('a box plot', () => {
  it('has the quartiles of each interval, and none of an empty one', async () => {
    const run = await start([
      ...[5, 1, 3, 2, 4].map((price) => paid(price, '2026-03-16')),
      paid(-7, '2026-03-18'),
    ])

    const result = await run({})

    expect(result.map(({ label }) => label)).toEqual([
      'paid · minimum',
      'paid · 25th percentile',
      'paid · median',
      'paid · 75th percentile',
      'paid · maximum',
    ])
    expect(readBoxes(result)).toEqual([
      {
        name: 'paid',
        days: ['2026-03-16', '2026-03-17', '2026-03-18'],
        isUnfinished: true,
        boxes: [[1, 2, 3, 4, 5], undefined, [-7, -7, -7, -7, -7]],
      },
    ])
  })

  it('has boxes for each series, under their own names', async () => {
    const run = await start([paid(4, '2026-03-16')])
    const named = { ...PRICE, custom_name: 'Price' }

    const plots = readBoxes(await run({ series: [named, { ...PRICE, event: 'other' }] }))

    expect(plots?.map(({ name, boxes }) => [name, boxes[0]])).toEqual([
      ['Price', [4, 4, 4, 4, 4]],
      ['other', undefined],
    ])
  })

  it.each<[Partial<TrendsQuery>, string]>([
    [{ series: [{ event: 'paid' }] }, 'query__series__0__math_property'],
    [{ breakdownFilter: { breakdown: 'plan' } }, 'query__breakdownFilter'],
    [{ compareFilter: { compare: true } }, 'query__compareFilter__compare'],
    [{ trendsFilter: { display: 'BoxPlot', formula: 'A' } }, 'query__trendsFilter__formula'],
  ])('refuses %j by name', async (query, attr) => {
    const run = await start()

    expect(() => run(query)).toThrow(expect.objectContaining({ statusCode: 400, attr }))
  })
})
