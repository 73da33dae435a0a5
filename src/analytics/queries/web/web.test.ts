import { describe, expect, it } from 'vitest'
import type { WebGoalsQuery } from '#model/query-kinds/web-goals.schema.ts'
import type { WebStatsTableQuery } from '#model/query-kinds/web-stats-table.schema.ts'
import { contextOf, startStores, type TestEvent } from '../../../../test/support/data/queries.ts'
import { compileWebGoalsQuery } from '../web-goals/compile.ts'
import { compileWebOverviewQuery } from '../web-overview/compile.ts'
import { compileWebStatsTableQuery } from '../web-stats-table/compile.ts'

const view = (person: string, minute: number, path: string, more: object = {}): TestEvent => ({
  event: '$pageview',
  person,
  at: new Date(Date.UTC(2026, 2, 18, 10, minute)).toISOString(),
  properties: { $pathname: path, ...more },
})

const EVENTS = [
  view('ada', 0, '/', { $referring_domain: 'www.google.com', $browser: 'Chrome' }),
  view('ada', 1, '/buy', { $browser: 'Chrome' }),
  { event: 'paid', person: 'ada', at: '2026-03-18T10:02:00Z' },
  { event: 'paid', person: 'ada', at: '2026-03-18T11:02:00Z' },
  { event: 'paid', person: 'server', at: '2026-03-18T10:02:00Z' },
  view('bob', 0, '/', { $referring_domain: '$direct', $browser: 'Safari' }),
]

async function start() {
  const stores = await startStores()
  await stores.add(EVENTS)
  return {
    overview: async (properties: readonly object[] | object = []) => {
      const figures = await stores.run(
        compileWebOverviewQuery(
          { kind: 'WebOverviewQuery', properties: properties as never },
          contextOf(),
        ),
      )
      return figures.map(({ value }) => value)
    },
    table: async (query: Partial<WebStatsTableQuery>) =>
      stores.run(
        compileWebStatsTableQuery(
          { kind: 'WebStatsTableQuery', breakdownBy: 'Page', ...query },
          contextOf(),
        ),
      ),
    goals: async (query: Partial<WebGoalsQuery>) =>
      (await stores.run(compileWebGoalsQuery({ kind: 'WebGoalsQuery', ...query }, contextOf())))
        .results,
  }
}

describe('web analytics', () => {
  it('counts visitors, views and visits', async () => {
    const { overview } = await start()

    expect(await overview()).toEqual([2, 3, 2, 30, 50])
  })

  it('applies filters of sessions, events and both', async () => {
    const { overview } = await start()
    const search = { type: 'session', key: '$channel_type', value: 'Organic Search' }
    const safari = { key: '$browser', value: 'Safari' }
    const bought = { key: '$pathname', value: '/buy' }

    expect(await overview([search])).toEqual([1, 2, 1, 60, 0])
    expect(await overview([bought])).toEqual([1, 1, 1, 60, 0])
    expect(await overview([search, safari])).toEqual([0, 0, 0, null, null])
    const nested = { type: 'AND', values: [{ type: 'AND', values: [search, bought] }] }
    expect(await overview(nested)).toEqual([1, 1, 1, 60, 0])
    expect(await overview({ type: 'OR', values: [safari, bought] })).toEqual([2, 2, 2, 30, 50])
  })

  it('refuses alternatives of sessions and events by name', async () => {
    const { overview } = await start()
    const values = [
      { type: 'session', key: '$is_bounce', value: 'true' },
      { key: 'plan', value: 1 },
    ]

    const refused = overview({ type: 'AND', values: [{ type: 'OR', values }] })

    await expect(refused).rejects.toMatchObject({ attr: 'query__properties__values__0' })
  })

  it('names the filter that is wrong', async () => {
    const { overview } = await start()
    const fine = { key: '$browser', value: 'Safari' }

    const refused = overview([fine, { type: 'session', key: 'plan', value: 'pro' }])

    await expect(refused).rejects.toMatchObject({ attr: 'query__properties__1__key' })
  })

  it('lists pages by visitors', async () => {
    const { table } = await start()

    expect((await table({ limit: 1 })).results).toEqual([['/', [2, null], [2, null]]])
    expect(await table({ limit: 1, offset: 1 })).toMatchObject({
      columns: ['breakdown_value', 'visitors', 'views'].map((name) => `context.columns.${name}`),
      results: [['/buy', [1, null], [1, null]]],
      hasMore: false,
    })
    expect((await table({ limit: 1 })).hasMore).toBe(true)
    const direct = [{ type: 'session' as const, key: '$channel_type', value: 'Direct' }]
    expect((await table({ properties: direct })).results).toEqual([['/', [1, null], [1, null]]])
  })

  it('lists channels with their bounce rates, and the previous period', async () => {
    const { table } = await start()

    const { results } = await table({
      breakdownBy: 'InitialChannelType',
      includeBounceRate: true,
      compareFilter: { compare: true },
    })

    expect(results).toEqual([
      ['Organic Search', [1, 0], [2, 0], [0, null]],
      ['Direct', [1, 0], [1, 0], [1, null]],
    ])
  })

  it('has no bounce rate for pages within visits', async () => {
    const { table } = await start()

    await expect(table({ includeBounceRate: true })).rejects.toMatchObject({
      attr: 'query__includeBounceRate',
    })
  })

  it('counts visitors who reached a goal', async () => {
    const { goals } = await start()

    expect(await goals({})).toEqual([['paid', [1, null], [2, null], [0.5, null]]])
    const given = [{ event: 'paid', custom_name: 'Order' }, { event: 'never' }]
    expect(await goals({ goals: given, compareFilter: { compare: true } })).toEqual([
      ['Order', [1, 0], [2, 0], [0.5, null]],
      ['never', [0, 0], [0, 0], [0, null]],
    ])
  })
})
