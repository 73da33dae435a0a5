import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectStickiness, spansBetween } from '../../../../test/reference/presence.ts'
import { casesOf, dayOf, keep, type Place } from '../../../../test/reference/visits.ts'
import { type Cell, expectActors } from '../../../../test/support/data/actors.ts'
import { contextOf, startStores } from '../../../../test/support/data/queries.ts'
import { numRuns } from '../../../../test/support/vitest/effort.ts'
import { compileStickinessQuery } from './compile.ts'

const OPERATORS = {
  gte: (count: number, value: number) => count >= value,
  lte: (count: number, value: number) => count <= value,
  exact: (count: number, value: number) => count === value,
}

const queryIn = ({ date }: Place) =>
  fc.record({
    events: fc.array(fc.constantFrom('a', 'b', 'c', null), { minLength: 1, maxLength: 3 }),
    interval: fc.constantFrom('hour', 'day', 'week', 'month'),
    date_from: fc
      .oneof(fc.integer({ min: -7, max: 0 }), fc.constantFrom(-12, -61, -62, -100))
      .map((days) => dayOf(date, days)),
    date_to: fc.integer({ min: 0, max: 2 }).map((days) => dayOf(date, days)),
    criteria: fc.option(
      fc.record({
        operator: fc.constantFrom('gte', 'lte', 'exact'),
        value: fc.integer({ min: 1, max: 3 }),
      }),
    ),
  })

describe('a generated stickiness', () => {
  it('equals the result of a naive count', async () => {
    const stores = await startStores()
    let projectId = 1

    await fc.assert(
      fc.asyncProperty(casesOf(queryIn), async ({ place, events, query, properties }) => {
        projectId++
        await stores.add(events, projectId)
        const { interval, date_from, date_to, criteria } = query
        const context = contextOf(place)
        const asked = {
          kind: 'StickinessQuery' as const,
          series: query.events.map((event) => ({ event })),
          stickinessFilter: { stickinessCriteria: criteria },
          ...{ interval, dateRange: { date_from, date_to }, properties },
        }

        const series = await stores.run(compileStickinessQuery(asked, context), projectId)

        const spans = spansBetween(interval, [date_from, date_to], place)
        const isEnough = (count: number) =>
          !criteria || OPERATORS[criteria.operator](count, criteria.value)
        const expected = query.events.map((name) =>
          expectStickiness(
            keep(events, properties).filter(({ event }) => name === null || event === name),
            spans,
            isEnough,
          ),
        )
        expect(series.map(({ data }) => data)).toEqual(expected)
        const cells = series.flatMap(({ data, days }, index) =>
          data.map((number, at): Cell => {
            return { point: { series: index, day: days[at] ?? null }, number, counts: 'persons' }
          }),
        )
        await expectActors(stores, projectId, { query: asked, context, cells })
      }),
      numRuns(100, 10),
    )
  }, 600_000)
})
