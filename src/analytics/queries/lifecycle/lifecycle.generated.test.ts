import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectLifecycle, spansBetween, spansUpTo } from '../../../../test/reference/presence.ts'
import { casesOf, dayOf, keep, type Place, toMoment } from '../../../../test/reference/visits.ts'
import { type Cell, expectActors } from '../../../../test/support/data/actors.ts'
import { contextOf, startStores } from '../../../../test/support/data/queries.ts'
import { numRuns } from '../../../../test/support/vitest/effort.ts'
import { compileLifecycleQuery } from './compile.ts'

const queryIn = ({ date }: Place) =>
  fc.record({
    event: fc.constantFrom('a', 'b', null),
    interval: fc.constantFrom('hour', 'day', 'week', 'month'),
    date_from: fc
      .oneof(fc.integer({ min: -7, max: 0 }), fc.constantFrom(-12, -61, -62, -100))
      .map((days) => dayOf(date, days)),
    date_to: fc.integer({ min: 0, max: 2 }).map((days) => dayOf(date, days)),
  })

describe('a generated lifecycle', () => {
  it('equals the result of a naive count', async () => {
    const stores = await startStores()
    let projectId = 1

    await fc.assert(
      fc.asyncProperty(casesOf(queryIn), async ({ place, events, query, properties }) => {
        projectId++
        await stores.add(events, projectId)
        const { event, interval, date_from, date_to } = query
        const context = contextOf(place)
        const asked = {
          kind: 'LifecycleQuery' as const,
          series: [{ event }],
          interval,
          dateRange: { date_from, date_to },
          properties,
        }

        const series = await stores.run(compileLifecycleQuery(asked, context), projectId)

        const count = spansBetween(interval, [date_from, date_to], place).length
        const expected = expectLifecycle(
          keep(events, properties).filter((each) => event === null || each.event === event),
          spansUpTo(interval, date_to, count + 1, place),
        )
        const answered = expected.map((_, index) =>
          Object.fromEntries(series.map(({ status, data }) => [status, data[index]])),
        )
        expect(answered).toEqual(expected)
        expect(series.map(({ data, days }) => [data.length, days.length])).toEqual(
          series.map(() => [count, count]),
        )
        const cells = series.flatMap(({ status, data, days }) =>
          data.map((number, index): Cell => {
            const point = { status, day: toMoment(days, index, place.zone) }
            return { point, number: Math.abs(number), counts: 'persons' }
          }),
        )
        await expectActors(stores, projectId, { query: asked, context, cells })
      }),
      numRuns(100, 10),
    )
  }, 600_000)
})
