import { expect, it } from 'vitest'
import type { Properties } from '#model/query-kinds/common.schema.ts'
import type { FunnelsQuery } from '#model/query-kinds/funnels.schema.ts'
import type { LifecycleQuery } from '#model/query-kinds/lifecycle.schema.ts'
import type { PathsQuery } from '#model/query-kinds/paths.schema.ts'
import type { RetentionQuery } from '#model/query-kinds/retention.schema.ts'
import type { StickinessQuery } from '#model/query-kinds/stickiness.schema.ts'
import type { FunnelStep } from '#model/query-results.ts'
import { contextOf, startStores, type TestEvent } from '../../../test/support/data/queries.ts'
import { compileFunnelsQuery } from './funnels/compile.ts'
import { compileLifecycleQuery } from './lifecycle/compile.ts'
import { compilePathsQuery } from './paths/compile.ts'
import { compileRetentionQuery } from './retention/compile.ts'
import { compileStickinessQuery } from './stickiness/compile.ts'
import { compileTrendsQuery } from './trends/compile.ts'

/** Ada has two IDs and currently the plan pro; Bob is free; Cy has no profile. */
const EVENTS: readonly TestEvent[] = [
  { event: 'visit', person: 'anon', at: '2026-03-16T10:00:00Z', properties: { plan: 'event' } },
  { event: 'buy', person: 'anon', at: '2026-03-16T10:01:00Z' },
  {
    event: '$identify',
    person: 'ada',
    at: '2026-03-16T10:02:00Z',
    properties: { $anon_distinct_id: 'anon', $set: { plan: 'free', seats: 3 } },
  },
  { event: 'visit', person: 'ada', at: '2026-03-17T10:00:00Z' },
  { event: 'buy', person: 'ada', at: '2026-03-17T10:01:00Z' },
  {
    event: '$set',
    person: 'ada',
    at: '2026-03-17T10:02:00Z',
    properties: { $set: { plan: 'pro' } },
  },
  {
    event: 'visit',
    person: 'bob',
    at: '2026-03-17T11:00:00Z',
    properties: { $set: { plan: 'free', seats: 1 } },
  },
  {
    event: 'visit',
    person: 'cy',
    at: '2026-03-17T12:00:00Z',
    properties: { $process_person_profile: false, $set: { plan: 'pro' } },
  },
]

const dateRange = { date_from: '2026-03-16', date_to: '2026-03-17' }
const properties: Properties = [{ key: 'plan', value: 'pro', type: 'person' }]
const visit = { event: 'visit' }
const buy = { event: 'buy' }

async function start() {
  const stores = await startStores()
  await stores.add(EVENTS)
  await stores.add(
    [
      {
        event: 'visit',
        person: 'foreign',
        at: '2026-03-17',
        properties: { $set: { plan: 'pro' } },
      },
    ],
    2,
  )
  return stores
}

const trend = (more: object) =>
  compileTrendsQuery({ kind: 'TrendsQuery', series: [visit], dateRange, ...more }, contextOf())

it("filters each query kind by persons' current properties", async () => {
  const { run } = await start()
  const context = contextOf()
  const common = { dateRange, properties }

  expect((await run(trend({ properties })))[0]?.data).toEqual([1, 1])
  const funnel: FunnelsQuery = { kind: 'FunnelsQuery', series: [visit, buy], ...common }
  expect(await run(compileFunnelsQuery(funnel, context))).toMatchObject([
    { count: 1 },
    { count: 1 },
  ])
  const entity = { id: 'visit' }
  const retentionFilter = { totalIntervals: 2, targetEntity: entity, returningEntity: entity }
  const retention: RetentionQuery = { kind: 'RetentionQuery', retentionFilter, ...common }
  expect((await run(compileRetentionQuery(retention, context)))[0]?.values).toMatchObject([
    { count: 1 },
    { count: 1 },
  ])
  const lifecycle: LifecycleQuery = { kind: 'LifecycleQuery', series: [visit], ...common }
  expect((await run(compileLifecycleQuery(lifecycle, context)))[0]?.data).toEqual([1, 0])
  const stickiness: StickinessQuery = { kind: 'StickinessQuery', series: [visit], ...common }
  expect((await run(compileStickinessQuery(stickiness, context)))[0]?.data).toEqual([0, 1])
  const paths: PathsQuery = { kind: 'PathsQuery', ...common }
  expect(await run(compilePathsQuery(paths, context))).toMatchObject([
    { source: '1_visit', target: '2_buy', value: 2 },
  ])
})

it('filters a series and a group of filters by persons', async () => {
  const { run } = await start()
  const either: Properties = {
    type: 'OR',
    values: [
      { key: 'plan', value: 'event', type: 'event' },
      { key: 'seats', value: 2, operator: 'lt', type: 'person' },
    ],
  }

  const series = [
    { ...visit, properties },
    { ...visit, properties: either },
    {
      ...visit,
      properties: [{ key: 'plan', operator: 'is_not_set' as const, type: 'person' as const }],
    },
  ]

  expect((await run(trend({ series }))).map(({ data }) => data)).toEqual([
    [1, 1],
    [1, 1],
    [0, 1],
  ])
})

it('breaks trends and funnels down by a person property', async () => {
  const { run } = await start()
  const valuesOf = (results: readonly { breakdown_value?: string | number; count: number }[]) =>
    results.map(({ breakdown_value, count }) => [breakdown_value, count])
  const NONE = '$$_posthog_breakdown_null_$$'

  const one = trend({ breakdownFilter: { breakdown: 'plan', breakdown_type: 'person' } })
  expect(valuesOf(await run(one))).toEqual([
    ['pro', 2],
    [NONE, 1],
    ['free', 1],
  ])
  const breakdowns = [
    { property: 'plan', type: 'person' },
    { property: 'plan', type: 'event' },
  ]
  expect(valuesOf(await run(trend({ breakdownFilter: { breakdowns } })))).toEqual([
    [`${NONE}::${NONE}`, 1],
    [`free::${NONE}`, 1],
    [`pro::${NONE}`, 1],
    ['pro::event', 1],
  ])
  const funnel = compileFunnelsQuery(
    {
      kind: 'FunnelsQuery',
      series: [visit, buy],
      dateRange,
      breakdownFilter: { breakdown: 'plan', breakdown_type: 'person' },
    },
    contextOf(),
  )
  const steps = (await run(funnel)) as readonly (readonly FunnelStep[])[]
  expect(
    steps.map((group) => [group[0]?.breakdown_value, ...group.map(({ count }) => count)]),
  ).toEqual([
    [NONE, 1, 0],
    ['free', 1, 0],
    ['pro', 1, 1],
  ])
})

it('aggregates a person property', async () => {
  const { run } = await start()
  const series = [
    {
      ...visit,
      math: 'max' as const,
      math_property: 'seats',
      math_property_type: 'person_properties' as const,
    },
  ]

  expect((await run(trend({ series })))[0]?.data).toEqual([3, 3])
})

it('compares person_id with UUIDs and distinct_id with distinct IDs', async () => {
  const { run } = await start()
  const by = (breakdown: string) =>
    run(trend({ breakdownFilter: { breakdown, breakdown_type: 'event_metadata' } }))

  const persons = await by('person_id')
  const uuid = persons[0]?.breakdown_value as string
  expect(persons.map(({ count }) => count)).toEqual([2, 1, 1])
  expect(uuid).toMatch(/^[0-9a-f-]{36}$/)
  expect((await by('distinct_id')).map(({ breakdown_value }) => breakdown_value)).toEqual([
    'ada',
    'anon',
    'bob',
    'cy',
  ])
  const filter = (key: string, value: string): Properties => [
    { key, value, type: 'event_metadata' },
  ]
  const ofPerson = await run(trend({ properties: filter('person_id', uuid) }))
  expect(ofPerson[0]?.data).toEqual([1, 1])
  expect((await run(trend({ properties: filter('distinct_id', 'ada') })))[0]?.data).toEqual([0, 1])
})
