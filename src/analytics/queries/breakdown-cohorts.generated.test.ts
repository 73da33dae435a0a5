import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CohortGroup } from '#model/cohort-filters.schema.ts'
import type { PropertyFilter } from '#model/query-kinds/common.schema.ts'
import type { FunnelsQuery } from '#model/query-kinds/funnels.schema.ts'
import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import { contextOf, startStores, type TestEvent } from '../../../test/support/data/queries.ts'
import { numRuns } from '../../../test/support/vitest/effort.ts'
import type { Cohort, Cohorts } from './cohort-definitions.ts'
import { createCohortSets } from './cohorts.ts'
import { compileFunnelsQuery } from './funnels/compile.ts'
import { compileTrendsQuery } from './trends/compile.ts'

/** Draws from a few full hours before and in the range, so that events coincide. */
const events: fc.Arbitrary<TestEvent[]> = fc.array(
  fc.record({
    event: fc.constantFrom('a', 'b'),
    person: fc.constantFrom('ada', 'bob', 'cy', 'dan'),
    at: fc
      .integer({ min: 0, max: 8 * 24 })
      .map((hours) => new Date(Date.UTC(2026, 2, 9, hours)).toISOString()),
    uuid: fc.uuid(),
    properties: fc.record(
      {
        $set: fc.record({ plan: fc.constantFrom('pro', 'free') }),
        amount: fc.constantFrom(1, 2.5, 'many'),
        $process_person_profile: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  }),
  { minLength: 10, maxLength: 40 },
)

const plan = (value: string): CohortGroup => ({
  type: 'AND',
  values: [{ type: 'person', key: 'plan', value: [value] }],
})

const COHORTS: Cohorts = new Map<number, Cohort>([
  [1, { id: 1, name: 'Pro', definition: { group: plan('pro') } }],
  [2, { id: 2, name: 'Some', definition: { members: ['ada', 'cy'] } }],
  [3, { id: 3, name: 'Nobody', definition: { members: [] } }],
])

const base = contextOf()
const context = contextOf({ cohorts: createCohortSets(COHORTS, base) })
const values: (string | number)[] = ['all', 2, 1, 3]

const inCohort = (value: string | number): PropertyFilter[] =>
  value === 'all' ? [] : [{ type: 'cohort', key: 'id', value, operator: 'in' }]

const MATHS = [
  'total',
  'dau',
  'weekly_active',
  'first_time_for_user',
  'sum',
  'avg',
  'median',
] as const
const DISPLAYS = ['ActionsLineGraph', 'ActionsLineGraphCumulative', 'BoldNumber'] as const

const trends = fc.record({
  math: fc.constantFrom(...MATHS),
  display: fc.constantFrom(...DISPLAYS),
  compare: fc.boolean(),
  formula: fc.constantFrom(undefined, 'A / B'),
})

const dateRange = { date_from: '2026-03-13', date_to: '2026-03-16' }
const breakdownFilter = { breakdown_type: 'cohort' as const, breakdown: values }

/** A number without a breakdown also has its values over time. */
const withoutHistory =
  (display: string | undefined) =>
  (series: object): object =>
    display === 'BoldNumber' ? { ...series, data: [], days: [], labels: [] } : series

it('shows for each cohort what a filter by the cohort shows', async () => {
  const { add, run } = await startStores()
  let project = 0

  await fc.assert(
    fc.asyncProperty(events, trends, async (given, { math, display, compare, formula }) => {
      project++
      await add(given, project)
      const node = { event: 'a', math, math_property: 'amount' }
      const query: TrendsQuery = {
        kind: 'TrendsQuery',
        series: [node, { event: 'b' }],
        dateRange,
        compareFilter: { compare },
        trendsFilter: { display, ...(formula && { formula }) },
      }

      const found = await run(compileTrendsQuery({ ...query, breakdownFilter }, context), project)

      const shown = found.map(({ label: _, breakdown_value, breakdown_label: __, ...rest }) => ({
        value: breakdown_value,
        rest,
      }))
      for (const value of values) {
        const filtered = { ...query, properties: inCohort(value) }
        const expected = await run(compileTrendsQuery(filtered, context), project)
        const own = shown.filter((each) => each.value === value).map(({ rest }) => rest)
        expect(own.map(withoutHistory(display))).toEqual(
          expected.map(({ label: _, ...rest }) => rest).map(withoutHistory(display)),
        )
      }
    }),
    numRuns(40, 4),
  )
}, 600_000)

it('shows for each cohort the funnel of its persons', async () => {
  const { add, run } = await startStores()
  let project = 5000

  await fc.assert(
    fc.asyncProperty(
      events,
      fc.constantFrom('ordered' as const, 'strict' as const, 'unordered' as const),
      async (given, funnelOrderType) => {
        project++
        await add(given, project)
        const query: FunnelsQuery = {
          kind: 'FunnelsQuery',
          series: [{ event: 'a' }, { event: 'b' }],
          dateRange,
          funnelsFilter: { funnelOrderType },
        }
        type Steps = readonly { readonly count: number; readonly breakdown_value?: unknown }[]

        const found = (await run(
          compileFunnelsQuery({ ...query, breakdownFilter }, context),
          project,
        )) as unknown as readonly Steps[]

        for (const value of values) {
          const filtered = { ...query, properties: inCohort(value) }
          const expected = (await run(
            compileFunnelsQuery(filtered, context),
            project,
          )) as unknown as Steps
          const own = found.find(([first]) => first?.breakdown_value === value)
          expect(own?.map(({ count }) => count) ?? [0, 0]).toEqual(
            expected.map(({ count }) => count),
          )
        }
      },
    ),
    numRuns(40, 4),
  )
}, 600_000)
