import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FunnelStep, FunnelTimes, FunnelTrend } from '#model/query-results.ts'
import {
  type Best,
  bestAttempts,
  type DatedQuery,
  expectSteps,
  groupsOf,
} from '../../../../test/reference/funnels.ts'
import { withMerges, withPersons } from '../../../../test/reference/visitors.ts'
import { type Cell, expectActors } from '../../../../test/support/data/actors.ts'
import { contextOf, startStores, type TestEvent } from '../../../../test/support/data/queries.ts'
import { numRuns } from '../../../../test/support/vitest/effort.ts'
import { compileFunnelsQuery } from './compile.ts'

/** Clocks change on these days. */
const PLACES = [
  { zone: 'UTC', date: '2026-03-18' },
  { zone: 'Europe/Berlin', date: '2026-03-29' },
  { zone: 'America/Santiago', date: '2026-04-04' },
  { zone: 'Asia/Kathmandu', date: '2026-01-01' },
  { zone: 'Australia/Lord_Howe', date: '2026-04-05' },
] as const
type Place = (typeof PLACES)[number]

const dayOf = ({ date }: Place, days: number) =>
  Temporal.PlainDate.from(date).add({ days }).toString()

/** Draws from a few moments, so that many events coincide or are a window apart. */
const momentIn = (place: Place) =>
  fc
    .tuple(
      fc.integer({ min: -1, max: 2 }),
      fc.constantFrom(0, 1, 2, 60, 61, 1440, 1439),
      fc.constantFrom(0, 0, 0, -1, 1),
    )
    .map(([day, minute, ms]) => {
      const start = Temporal.PlainDate.from(dayOf(place, day)).toZonedDateTime(place.zone)
      return new Date(start.epochMilliseconds + minute * 60_000 + ms).toISOString()
    })

const IDS = ['ada', 'ada', 'bob', 'cyd', 'dan']

const eventIn = (place: Place): fc.Arbitrary<TestEvent> =>
  withMerges(
    fc.record({
      event: fc.constantFrom('a', 'a', 'b', 'c', 'x'),
      person: fc.constantFrom(...IDS),
      at: momentIn(place),
      properties: fc.record(
        { plan: fc.constantFrom('pro', 'free', 'Ünï', '') },
        { requiredKeys: [] },
      ),
      uuid: fc.uuid(),
    }),
    IDS,
  )

const node = fc.record({
  event: fc.constantFrom('a', 'a', 'b', 'c', null),
  properties: fc.constantFrom([], [], [], [{ key: 'plan', value: 'pro' }]),
})

const queryIn = (place: Place): fc.Arbitrary<DatedQuery> =>
  fc.record({
    kind: fc.constant('FunnelsQuery' as const),
    series: fc.array(node, { minLength: 2, maxLength: 4 }),
    dateRange: fc.constantFrom(
      { date_from: dayOf(place, 0), date_to: dayOf(place, 1) },
      { date_from: dayOf(place, -1), date_to: dayOf(place, 3) },
    ),
    properties: fc.constantFrom([], [], [{ key: 'plan', value: 'pro' }]),
    breakdownFilter: fc.constantFrom(
      null,
      { breakdown: 'plan' },
      { breakdown: 'plan', breakdown_limit: 1 },
    ),
    funnelsFilter: fc.record({
      funnelOrderType: fc.constantFrom('ordered', 'ordered', 'strict', 'unordered'),
      funnelWindowInterval: fc.constantFrom(1, 60, 1440, 9999),
      funnelWindowIntervalUnit: fc.constant('minute'),
    }),
  }) as never

const cases = fc.constantFrom(...PLACES).chain((place) =>
  fc.record({
    place: fc.constant(place),
    events: fc.array(eventIn(place), { maxLength: 16 }),
    queries: fc.array(queryIn(place), { minLength: 3, maxLength: 3 }),
  }),
)

const toExpectedResult = (query: DatedQuery, best: readonly Best[]) => {
  if (!query.breakdownFilter) return expectSteps(query, best)
  return groupsOf(query, best).map(([breakdown_value, persons]) =>
    expectSteps(query, persons).map((step) => ({ ...step, breakdown_value })),
  )
}

const shown = (step: FunnelStep) => ({
  count: step.count,
  average_conversion_time: step.average_conversion_time,
  median_conversion_time: step.median_conversion_time,
  ...(step.breakdown_value !== undefined && { breakdown_value: step.breakdown_value }),
})

/** Lists, for each step, the persons who reached it and those who dropped off before it. */
const cellsOf = (steps: readonly FunnelStep[]): Cell[] =>
  steps.flatMap(({ count, breakdown_value }, index) => {
    const value = { funnelStepBreakdown: breakdown_value ?? null }
    const reached = { ...value, funnelStep: index + 1 }
    const dropped = { ...value, funnelStep: -index - 1 }
    const before = steps[index - 1]?.count
    return [
      { point: reached, number: count, counts: 'persons' as const },
      ...(before === undefined
        ? []
        : [{ point: dropped, number: before - count, counts: 'persons' as const }]),
    ]
  })

const showTimes = (query: DatedQuery, best: readonly Best[]) => {
  const { length } = query.series
  const taken = best
    .map(({ attempt }) => attempt)
    .filter((times) => times.length === length)
    .map((times) => (times.at(-1) as number) - (times[0] as number))
  return {
    persons: taken.length,
    shortest: taken.length ? Math.floor(Math.min(...taken) / 1000) : undefined,
  }
}

describe('a generated funnel', () => {
  it('equals the result of trying every attempt', async () => {
    const stores = await startStores()
    let projectId = 1

    await fc.assert(
      fc.asyncProperty(cases, async ({ place, events, queries }) => {
        projectId++
        await stores.add(events, projectId)
        const context = contextOf({ zone: place.zone })

        for (const query of queries) {
          const best = bestAttempts(query, withPersons(events), place.zone)

          const steps = await stores.run(compileFunnelsQuery(query, context), projectId)

          const flat = steps as readonly (FunnelStep | readonly FunnelStep[])[]
          const result = flat.map((each) => ('count' in each ? shown(each) : each.map(shown)))
          expect(result).toEqual(toExpectedResult(query, best))
          const groups = query.breakdownFilter ? flat : [flat]
          const cells = (groups as readonly (readonly FunnelStep[])[]).flatMap(cellsOf)
          await expectActors(stores, projectId, { query, context, cells })
        }
      }),
      numRuns(100, 8),
    )
  }, 600_000)

  it('has a trend by the local day of entry, and the times of all who converted', async () => {
    const stores = await startStores()
    let projectId = 1

    await fc.assert(
      fc.asyncProperty(cases, async ({ place, events, queries: [query] }) => {
        projectId++
        await stores.add(events, projectId)
        const asked = { ...(query as DatedQuery), breakdownFilter: null }
        const best = bestAttempts(asked, withPersons(events), place.zone)
        const context = contextOf({ zone: place.zone })
        const toQuery = (funnelVizType: 'trends' | 'time_to_convert') => ({
          ...asked,
          funnelsFilter: { ...asked.funnelsFilter, funnelVizType },
        })
        const run = (query: DatedQuery) =>
          stores.run(compileFunnelsQuery(query, context), projectId)

        const [trend] = (await run(toQuery('trends'))) as readonly [FunnelTrend]
        const { bins } = (await run(toQuery('time_to_convert'))) as FunnelTimes

        const cells: Cell[] = []
        const rates = trend.days.map((day) => {
          const began = best.filter(({ attempt: [first = 0] }) => {
            const at = Temporal.Instant.fromEpochMilliseconds(first)
            return at.toZonedDateTimeISO(place.zone).toPlainDate().toString() === day
          })
          const done = began.filter(({ attempt }) => attempt.length === asked.series.length)
          const converted = { funnelTrendsEntrancePeriodStart: day, funnelTrendsDropOff: false }
          const dropped = { ...converted, funnelTrendsDropOff: true }
          cells.push(
            { point: converted, number: done.length, counts: 'persons' },
            { point: dropped, number: began.length - done.length, counts: 'persons' },
          )
          return began.length ? Number(((100 * done.length) / began.length).toPrecision(12)) : 0
        })
        expect(trend.data).toEqual(rates)
        expect(trend.count).toBe(best.length)
        const persons = bins.reduce((sum, [, count]) => sum + count, 0)
        expect({ persons, shortest: bins[0]?.[0] }).toEqual(showTimes(asked, best))
        await expectActors(stores, projectId, { query: toQuery('trends'), context, cells })
        const binCells = bins.map(([from, number], index): Cell => {
          const point = { funnelTimeFrom: from, funnelTimeTo: bins[index + 1]?.[0] ?? null }
          return { point, number, counts: 'persons' }
        })
        await expectActors(stores, projectId, {
          query: toQuery('time_to_convert'),
          context,
          cells: binCells,
        })
      }),
      numRuns(40, 3),
    )
  }, 600_000)
})
