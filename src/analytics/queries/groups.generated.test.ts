import fc from 'fast-check'
import { expect, it } from 'vitest'
import { deriveGroups } from '../../../test/reference/groups.ts'
import {
  contextOf,
  startStores,
  type TestEvent,
  toEvent,
} from '../../../test/support/data/queries.ts'
import { numRuns } from '../../../test/support/vitest/effort.ts'
import { compileFunnelsQuery } from './funnels/compile.ts'
import { compileLifecycleQuery } from './lifecycle/compile.ts'
import type { Plan } from './plan.ts'
import { compileRetentionQuery } from './retention/compile.ts'
import { compileStickinessQuery } from './stickiness/compile.ts'
import { compileTrendsQuery } from './trends/compile.ts'

/** Draws from a few full hours before and in the range, so that events coincide. */
const at = fc
  .integer({ min: 0, max: 5 * 24 })
  .map((hours) => new Date(Date.UTC(2026, 2, 12, hours)).toISOString())
const company = fc.constantFrom('acme', 'globex', 'hooli', '7')
const plan = fc.constantFrom('pro', 'free', '', 7)

const visit: fc.Arbitrary<TestEvent> = fc.record({
  event: fc.constantFrom('a', 'b', 'c'),
  person: fc.constantFrom('ada', 'bob', 'cy'),
  at,
  uuid: fc.uuid(),
  properties: fc.record(
    { $groups: fc.record({ company, team: company }, { requiredKeys: [] }), plan },
    { requiredKeys: [] },
  ),
})

const change: fc.Arbitrary<TestEvent> = fc.record({
  event: fc.constant('$groupidentify'),
  at,
  uuid: fc.uuid(),
  properties: fc.record({
    $group_type: fc.constantFrom('company', 'team'),
    $group_key: company,
    $group_set: fc.record({ plan }),
  }),
})

const events = fc.array(
  fc.oneof({ weight: 5, arbitrary: visit }, { weight: 1, arbitrary: change }),
  { maxLength: 40 },
)

/** Turns each group of a type into a person, with the group's property on each event. */
function withGroupsAsPersons(given: readonly TestEvent[], index: number): TestEvent[] {
  const { groups, keysOf } = deriveGroups(given.map(toEvent))
  return given.flatMap((event) => {
    const key = keysOf(toEvent(event))[index]
    if (typeof key !== 'string') return []
    const { plan } = groups.get(`${index} ${key}`)?.properties ?? {}
    return [{ ...event, person: key, properties: { plan } }]
  })
}

const dateRange = { date_from: '2026-03-14', date_to: '2026-03-16' }
const context = contextOf()
const CUMULATIVE = { display: 'ActionsLineGraphCumulative' as const }
const [a, b] = [{ event: 'a' }, { event: 'b' }]

/** Compiles every kind of query: about groups of a type and their properties, or about persons and properties of events. */
function toPlans(index: number | undefined, hasFilter: boolean): Plan[] {
  const isGroup = index !== undefined
  const ofGroup = isGroup ? { type: 'group' as const, group_type_index: index } : {}
  const properties = hasFilter ? [{ key: 'plan', value: 'pro', ...ofGroup }] : []
  const shared = { dateRange, properties, aggregation_group_type_index: index ?? null }
  const math = isGroup
    ? { math: 'unique_group' as const, math_group_type_index: index }
    : { math: 'dau' as const }
  const breakdownFilter = isGroup
    ? { breakdown: 'plan', breakdown_type: 'group' as const, breakdown_group_type_index: index }
    : { breakdown: 'plan' }
  const breakdowns = { breakdowns: [{ property: 'plan', ...ofGroup }] }
  const trend = { kind: 'TrendsQuery' as const, dateRange, properties, series: [{ ...a, ...math }] }
  const funnel = { kind: 'FunnelsQuery' as const, series: [a, b], ...shared }
  const orders = ['ordered', 'strict', 'unordered'] as const
  return [
    compileTrendsQuery(trend, context),
    compileTrendsQuery({ ...trend, breakdownFilter }, context),
    compileTrendsQuery({ ...trend, breakdownFilter, trendsFilter: CUMULATIVE }, context),
    compileTrendsQuery({ ...trend, breakdownFilter: breakdowns }, context),
    compileFunnelsQuery({ ...funnel, breakdownFilter }, context),
    ...orders.map((funnelOrderType) =>
      compileFunnelsQuery({ ...funnel, funnelsFilter: { funnelOrderType } }, context),
    ),
    compileRetentionQuery(
      {
        kind: 'RetentionQuery',
        ...shared,
        retentionFilter: { totalIntervals: 3, targetEntity: { id: 'a' } },
      },
      context,
    ),
    compileLifecycleQuery({ kind: 'LifecycleQuery', series: [a], ...shared }, context),
    compileStickinessQuery({ kind: 'StickinessQuery', series: [a, b], ...shared }, context),
    compileStickinessQuery(
      { kind: 'StickinessQuery', dateRange, properties, series: [{ ...a, ...math }] },
      context,
    ),
  ]
}

/** Serializes a result without the parts of the query that it repeats. */
const toComparable = (result: unknown): string =>
  JSON.stringify(result, (key, value) => (key === 'action' ? undefined : value))

it('counts groups as if each were a person', async () => {
  const { add, run } = await startStores()
  let project = 1

  await fc.assert(
    fc.asyncProperty(
      events,
      fc.constantFrom(0, 1),
      fc.boolean(),
      async (given, index, hasFilter) => {
        project += 2
        await add(given, project)
        await add(withGroupsAsPersons(given, index), project + 1)

        const [ofGroups, ofPersons] = [toPlans(index, hasFilter), toPlans(undefined, hasFilter)]

        for (const [n, plan] of ofGroups.entries()) {
          const expected = await run(ofPersons[n] as Plan, project + 1)
          expect(toComparable(await run(plan, project))).toBe(toComparable(expected))
        }
      },
    ),
    numRuns(40, 6),
  )
}, 600_000)
