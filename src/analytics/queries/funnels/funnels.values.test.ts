import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { FunnelsQuery } from '#model/query-kinds/funnels.schema.ts'
import type { FunnelStep, FunnelTrend } from '#model/query-results.ts'
import { contextOf, startStores, type TestEvent } from '../../../../test/support/data/queries.ts'
import { compileFunnelsQuery } from './compile.ts'

const DAY = { date_from: '2026-03-10', date_to: '2026-03-10' }
const at = (minute: number) => new Date(Date.UTC(2026, 2, 10, 10, minute)).toISOString()

const query: FunnelsQuery = {
  kind: 'FunnelsQuery',
  series: [{ event: 'visit' }, { event: 'buy' }],
  dateRange: DAY,
  breakdownFilter: { breakdown: 'plan' },
}

const visit = (person: string, plan: unknown, minute = 0): TestEvent => ({
  person,
  event: 'visit',
  at: at(minute),
  properties: { plan },
})
const buy = (person: string, plan: unknown = 'bought', minute = 5): TestEvent => ({
  ...visit(person, plan, minute),
  event: 'buy',
})

async function start(events: readonly TestEvent[]) {
  const stores = await startStores()
  await stores.add(events)
  await stores.add([visit('eve', 'canary'), buy('eve')], 2)
  return async (funnel: FunnelsQuery) => {
    const result = await stores.run(compileFunnelsQuery(funnel, contextOf()))
    return result as readonly (readonly FunnelStep[])[]
  }
}

const toLines = (result: readonly (readonly FunnelStep[])[]) =>
  result.map((steps) => [steps[0]?.breakdown_value, ...steps.map(({ count }) => count)])

const PERSONS = [
  visit('ada', 'pro'),
  buy('ada'),
  visit('bob', 'pro'),
  visit('cyd', 'free'),
  buy('cyd'),
  visit('dan', null),
  visit('dan', 'late', 9),
  visit('eli', 'team'),
  visit('fay', 'zeta'),
  visit('gus', 'zeta'),
  visit('hal', 'zeta'),
]

describe('a funnel with a breakdown', () => {
  it("groups persons by the value of their first step's event", async () => {
    const run = await start(PERSONS)

    expect(toLines(await run(query))).toEqual([
      ['zeta', 3, 0],
      ['pro', 2, 1],
      ['$$_posthog_breakdown_null_$$', 1, 0],
      ['free', 1, 1],
      ['team', 1, 0],
    ])
  })

  it('merges the smaller values, or omits them', async () => {
    const run = await start(PERSONS)
    const limited = { breakdown: 'plan', breakdown_limit: 2 }

    expect(toLines(await run({ ...query, breakdownFilter: limited }))).toEqual([
      ['zeta', 3, 0],
      ['pro', 2, 1],
      ['$$_posthog_breakdown_other_$$', 3, 1],
    ])
    const hidden = { ...limited, breakdown_hide_other_aggregation: true }
    expect(toLines(await run({ ...query, breakdownFilter: hidden }))).toHaveLength(2)
  })

  it('uses the value of the furthest attempt', async () => {
    const run = await start([visit('ada', 'first', 0), visit('ada', 'second', 3), buy('ada')])

    expect(toLines(await run(query))).toEqual([['second', 1, 1]])
  })

  it('has a trend for each value', async () => {
    const run = await start(PERSONS)
    const trends = { ...query, funnelsFilter: { funnelVizType: 'trends' as const } }

    const result = (await run(trends)) as unknown as readonly FunnelTrend[]

    expect(result.slice(0, 2)).toMatchObject([
      { breakdown_value: 'zeta', count: 3, data: [0] },
      { breakdown_value: 'pro', count: 2, data: [50] },
    ])
  })

  it('accepts any text as a name, key or value', async () => {
    const hostile = [
      "'; drop table facts; --",
      '\u0000',
      '"$1"',
      '😀 ünï',
      'x'.repeat(3000),
      '%_\\',
    ]
    for (const text of hostile) {
      const event = text.slice(0, 400)
      const run = await start([
        { person: text, event, at: at(0), properties: { [text]: text } },
        { person: text, event: 'buy', at: at(1), properties: { [text]: text } },
      ])

      const result = await run({
        ...query,
        series: [{ event, properties: [{ key: text, value: text }] }, { event: 'buy' }],
        breakdownFilter: { breakdown: text },
      })

      expect(result.map((steps) => steps.map(({ count }) => count))).toEqual([[1, 1]])
    }
  })
})

describe('an invalid funnel', () => {
  it.each([
    [{ exclusions: [{ event: 'x' }] }, 'query__funnelsFilter__exclusions'],
    [{ funnelToStep: 2 }, 'query__funnelsFilter__funnelToStep'],
    [{ funnelFromStep: 1 }, 'query__funnelsFilter__funnelFromStep'],
    [{ breakdownAttributionType: 'last_touch' }, 'query__funnelsFilter__breakdownAttributionType'],
    [
      { breakdownAttributionType: 'step', breakdownAttributionValue: 1 },
      'query__funnelsFilter__breakdownAttributionType',
    ],
  ] as const)('is refused with its path: %j', (funnelsFilter, attr) => {
    const wrong = { ...query, funnelsFilter } as unknown as FunnelsQuery

    expect(Value.Check(FunnelsQuery, wrong)).toBe(true)
    expect(() => compileFunnelsQuery(wrong, contextOf())).toThrow(
      expect.objectContaining({ statusCode: 400, attr }),
    )
  })

  it.each([
    { series: [{ event: 'alone' }] },
    { series: Array.from({ length: 21 }, () => ({ event: 'many' })) },
    { series: undefined },
    { funnelsFilter: { funnelOrderType: 'backwards' } },
    { funnelsFilter: { funnelVizType: 'pie' } },
    { funnelsFilter: { funnelWindowInterval: 0 } },
    { funnelsFilter: { funnelWindowIntervalUnit: 'year' } },
    { funnelsFilter: { binCount: 91 } },
    { interval: 'decade' },
  ])('is refused by the schema: %j', (part) => {
    expect(Value.Check(FunnelsQuery, { ...query, ...part })).toBe(false)
  })

  it('may contain display settings', () => {
    const funnelsFilter = { layout: 'horizontal', funnelStepReference: 'total', exclusions: [] }

    expect(Value.Check(FunnelsQuery, { ...query, funnelsFilter, tags: {} })).toBe(true)
    expect(() =>
      compileFunnelsQuery({ ...query, funnelsFilter } as never, contextOf()),
    ).not.toThrow()
  })
})

describe('a long funnel', () => {
  it('can have twenty steps', async () => {
    const events = Array.from({ length: 20 }, (_, step) => ({
      event: `step ${step}`,
      at: at(step),
    }))
    const run = await start(events)
    const series = events.map(({ event }) => ({ event }))

    for (const funnelOrderType of ['ordered', 'strict', 'unordered'] as const) {
      const asked = { ...query, series, breakdownFilter: null, funnelsFilter: { funnelOrderType } }
      const steps = (await run(asked)) as unknown as readonly FunnelStep[]
      expect(steps.map(({ count }) => count)).toEqual(series.map(() => 1))
      expect(steps.at(-1)?.average_conversion_time).toBe(60)
    }
  })
})
