import { describe, expect, it } from 'vitest'
import type { Interval } from '#model/query-kinds/common.schema.ts'
import type { StatementRow } from '#server/analytics/event-table.ts'
import { countTurns, slowDown } from '../../../test/support/count-turns.ts'
import { contextOf } from '../../../test/support/data/queries.ts'
import { compileFunnelsQuery } from './funnels/compile.ts'
import { compileLifecycleQuery } from './lifecycle/compile.ts'
import type { Plan } from './plan.ts'
import { compileSql } from './sql/compile.ts'
import { compileStickinessQuery } from './stickiness/compile.ts'
import { compileTrendsQuery } from './trends/compile.ts'

const DAYS = 90
const HOURS = DAYS * 24
const VALUES = 25
const node = { event: 'visit' }
const dated = (days = DAYS) => ({
  interval: 'hour' as Interval,
  dateRange: { date_from: `-${days * 24 - 1}h` },
})
const breakdownFilter = { breakdown: 'card', breakdown_limit: VALUES }

/** One row per place and bucket, and one with the value of each place. */
const cells = (toRow: (place: number, bucket: number) => StatementRow): StatementRow[] =>
  Array.from({ length: VALUES }, (_, at) => at + 1).flatMap((place) => [
    ...Array.from({ length: HOURS }, (_, bucket) => toRow(place, bucket)),
    { place, value: `value ${place}`, period: null, bucket: null, point: null },
  ])

const trendsRows = cells((place, bucket) => ({ period: 0, place, bucket, number: bucket / 7 }))

const PLANS: Readonly<Record<string, () => Promise<[Plan, StatementRow[][]]>>> = {
  trends: async () => [
    compileTrendsQuery(
      { kind: 'TrendsQuery', series: [node], ...dated(), breakdownFilter },
      contextOf(),
    ),
    [trendsRows],
  ],
  'trends with formulas and smoothing': async () => [
    compileTrendsQuery(
      {
        kind: 'TrendsQuery',
        series: [node],
        ...dated(),
        breakdownFilter,
        trendsFilter: { formula: 'A * 2', smoothingIntervals: 100 },
      },
      contextOf(),
    ),
    [trendsRows],
  ],
  'trends of active persons': async () => [
    compileTrendsQuery(
      {
        kind: 'TrendsQuery',
        series: [{ ...node, math: 'weekly_active' }],
        ...dated(),
        breakdownFilter,
      },
      contextOf(),
    ),
    [cells((place, point) => ({ period: 0, place, point, change: 1 }))],
  ],
  'funnels over time': async () => [
    compileFunnelsQuery(
      {
        kind: 'FunnelsQuery',
        series: [node, node],
        ...dated(),
        breakdownFilter,
        funnelsFilter: { funnelVizType: 'trends' },
      },
      contextOf(),
    ),
    [cells((place, bucket) => ({ place, bucket, entered: 3, converted: 1 }))],
  ],
  funnels: async () => [
    compileFunnelsQuery(
      {
        kind: 'FunnelsQuery',
        series: Array(20).fill(node),
        breakdownFilter: { breakdown: 'card' },
      },
      contextOf(),
    ),
    [
      Array.from({ length: 3000 }, (_, value) => ({
        value: `value ${value}`,
        ...Object.fromEntries(
          Array.from({ length: 20 }, (_, at) => [
            [`count${at + 1}`, 7],
            [`sum${at + 1}`, 5],
            [`median${at + 1}`, 3],
          ]).flat() as [string, number][],
        ),
      })),
    ],
  ],
  lifecycle: async () => [
    compileLifecycleQuery({ kind: 'LifecycleQuery', series: [node], ...dated(400) }, contextOf()),
    [Array.from({ length: 9600 }, (_, bucket) => ({ bucket, active: 3, fresh: 1, staying: 1 }))],
  ],
  stickiness: async () => [
    compileStickinessQuery(
      { kind: 'StickinessQuery', series: Array(12).fill(node), ...dated(400) },
      contextOf(),
    ),
    [Array.from({ length: 9600 }, (_, times) => ({ series: 0, times, persons: 1 }))],
  ],
  SQL: async () => [
    await compileSql('select 1.5 as a, 2.5 as b, now() as c from events limit 10000', {
      zone: 'UTC',
    }),
    [Array.from({ length: 10_000 }, (_, n) => ({ c1: n / 7, c2: n / 3, c3: n * 1000 }))],
  ],
}

describe('a large result', () => {
  it.each(Object.keys(PLANS))(
    'of %s is shaped in several turns of the event loop',
    async (name) => {
      const [plan, rows] = await (PLANS[name] as (typeof PLANS)[string])()

      slowDown()
      const turns = await countTurns(() => plan.toResult(rows))

      expect(turns).toBeGreaterThan(1)
    },
  )

  it('shares the labels and days of a period between its lines', async () => {
    const query = { kind: 'TrendsQuery' as const, series: [node], ...dated(), breakdownFilter }

    const [first, second, ...others] = await compileTrendsQuery(query, contextOf()).toResult([
      trendsRows,
    ])

    expect(others).toHaveLength(VALUES - 2)
    expect(first?.labels).toHaveLength(HOURS)
    expect(second?.labels).toBe(first?.labels)
    expect(second?.days).toBe(first?.days)
    expect(second?.label).toBe('value 2')
  })
})
