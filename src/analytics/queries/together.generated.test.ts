import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DISPLAYS, type TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import { casesOf, dayOf, type Place } from '../../../test/reference/visits.ts'
import { contextOf, startStores } from '../../../test/support/data/queries.ts'
import { numRuns } from '../../../test/support/vitest/effort.ts'
import { toShareKey } from './share-key.ts'
import { compileTrendsQuery, compileTrendsQueryTogether } from './trends/compile.ts'

const PROPERTIES = [undefined, [{ key: 'plan', value: 'pro' }]]

/** The part that queries computed together have in common. */
const sharedIn = ({ date }: Place) =>
  fc.record({
    interval: fc.constantFrom('hour', 'day', 'week', 'month'),
    dateRange: fc
      .tuple(fc.integer({ min: -30, max: 0 }), fc.integer({ min: 0, max: 8 }))
      .map(([from, to]) => ({ date_from: dayOf(date, from), date_to: dayOf(date, to) })),
    compareFilter: fc.constantFrom(undefined, { compare: true }),
    properties: fc.constantFrom(...PROPERTIES),
  })

/** Box plots show values of a property instead, and have tests of their own. */
const COUNTING = DISPLAYS.filter((display) => display !== 'BoxPlot')

/** The part that each of them has for itself. */
const own = fc.record({
  maths: fc.array(fc.constantFrom('total', 'dau', 'weekly_active', 'monthly_active', undefined), {
    minLength: 1,
    maxLength: 3,
  }),
  display: fc.constantFrom(...COUNTING),
  smoothingIntervals: fc.constantFrom(1, 3),
  hasFormula: fc.boolean(),
})

const queriesIn = (place: Place): fc.Arbitrary<TrendsQuery[]> =>
  fc
    .tuple(
      sharedIn(place),
      fc.constantFrom('a', null),
      fc.constantFrom(...PROPERTIES),
      fc.array(own, { minLength: 2, maxLength: 5 }),
    )
    .map(([shared, event, properties, all]) =>
      all.map(({ maths, display, smoothingIntervals, hasFormula }) => ({
        kind: 'TrendsQuery',
        ...shared,
        series: maths.map((math) => ({ event, math, properties })),
        trendsFilter: { display, smoothingIntervals, ...(hasFormula && { formula: 'A * 2' }) },
      })),
    ) as never

describe('queries of the same events', () => {
  it('have the same results together as each alone', async () => {
    const stores = await startStores()
    let projectId = 1

    await fc.assert(
      fc.asyncProperty(casesOf(queriesIn), async ({ place, events, query: queries }) => {
        projectId++
        await stores.add(events, projectId)
        const context = contextOf(place)
        const alone = await Promise.all(
          queries.map((query) => stores.run(compileTrendsQuery(query, context), projectId)),
        )
        const groups = Map.groupBy(queries.keys(), (index) =>
          toShareKey(queries[index] as TrendsQuery),
        )
        groups.delete(undefined)

        for (const indexes of groups.values()) {
          const group = indexes.map((index) => queries[index] as TrendsQuery)
          const plan = compileTrendsQueryTogether(group, context)
          const together = await stores.run(plan, projectId)

          const expected = indexes.map((index) => alone[index])
          expect(JSON.stringify(together)).toBe(JSON.stringify(expected))
        }
      }),
      numRuns(90, 12),
    )
  }, 600_000)
})

describe('the key of a query', () => {
  const trend = (more: object) => ({ kind: 'TrendsQuery', series: [{ event: 'a' }], ...more })

  it.each([
    ['another number', { series: [{ event: 'a', math: 'dau' }] }],
    ['another display', { trendsFilter: { display: 'ActionsBar' } }],
    ['one number for all intervals', { trendsFilter: { display: 'BoldNumber' } }],
    ['a formula', { trendsFilter: { formula: 'A / 2' } }],
  ])('is the same with %s', (_, more) => {
    expect(toShareKey(trend(more))).toBe(toShareKey(trend({})))
  })

  it.each([
    ['other events', { series: [{ event: 'b' }] }],
    ['more events', { series: [{ event: 'a' }, { event: 'b' }] }],
    ['filtered events', { series: [{ event: 'a', properties: [{ key: 'k', value: 'v' }] }] }],
    ['other dates', { dateRange: { date_from: '-30d' } }],
    ['another interval', { interval: 'week' }],
    ['running totals', { trendsFilter: { display: 'ActionsLineGraphCumulative' } }],
    ['a breakdown', { breakdownFilter: { breakdown: 'plan' } }],
    ['numbers of other columns', { series: [{ event: 'a', math: 'sum', math_property: 'n' }] }],
    ['another kind', { kind: 'StickinessQuery' }],
  ])('is another with %s', (_, more) => {
    expect(toShareKey(trend(more))).not.toBe(toShareKey(trend({})))
  })
})
