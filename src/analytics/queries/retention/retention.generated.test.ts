import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PERIODS } from '#model/query-kinds/retention.schema.ts'
import { expectRetention, spansUpTo, type Unit } from '../../../../test/reference/presence.ts'
import { casesOf, dayOf, keep, type Place } from '../../../../test/reference/visits.ts'
import { type Cell, expectActors } from '../../../../test/support/data/actors.ts'
import { contextOf, startStores } from '../../../../test/support/data/queries.ts'
import { numRuns } from '../../../../test/support/vitest/effort.ts'
import { compileRetentionQuery } from './compile.ts'

const queryIn = ({ date }: Place) =>
  fc.record({
    date_to: fc.integer({ min: -1, max: 2 }).map((days) => dayOf(date, days)),
    period: fc.constantFrom(...PERIODS),
    totalIntervals: fc.oneof(fc.integer({ min: 2, max: 9 }), fc.constantFrom(62, 63, 100)),
    isFirstTime: fc.boolean(),
    cumulative: fc.boolean(),
    target: fc.constantFrom('a', 'b', null),
    returning: fc.constantFrom('a', 'b', null),
  })

describe('a generated retention', () => {
  it('equals the result of a naive count', async () => {
    const stores = await startStores()
    let projectId = 1

    await fc.assert(
      fc.asyncProperty(casesOf(queryIn), async ({ place, events, query, properties }) => {
        projectId++
        await stores.add(events, projectId)
        const { isFirstTime, target, returning, date_to, ...filter } = query
        const retentionFilter = {
          ...filter,
          retentionType: isFirstTime ? 'retention_first_time' : 'retention_recurring',
          targetEntity: { id: target },
          returningEntity: { id: returning },
        } as const
        const kind = 'RetentionQuery' as const
        const asked = { kind, retentionFilter, dateRange: { date_to }, properties }
        const context = contextOf(place)

        const cohorts = await stores.run(compileRetentionQuery(asked, context), projectId)

        const kept = keep(events, properties)
        const of = (id: string | null) => kept.filter(({ event }) => id === null || event === id)
        const unit = query.period.toLowerCase() as Unit
        const spans = spansUpTo(unit, date_to, query.totalIntervals, place)
        const rules = { isFirstTime, isCumulative: query.cumulative }
        expect(cohorts.map(({ date }) => Date.parse(date))).toEqual(spans.map(([from]) => from))
        expect(cohorts.map(({ values }) => values.map(({ count }) => count))).toEqual(
          expectRetention(of(target), of(returning), spans, rules),
        )
        const cells = cohorts.flatMap(({ values }, interval) =>
          values.map(({ count }, returned): Cell => {
            return { point: { interval, returned }, number: count, counts: 'persons' }
          }),
        )
        await expectActors(stores, projectId, { query: asked, context, cells })
      }),
      numRuns(100, 10),
    )
  }, 600_000)
})
