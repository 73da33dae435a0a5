import fc from 'fast-check'
import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app/app.ts'
import { type TestEvent, toEvent } from '../../../../test/support/data/queries.ts'
import { QUERY } from '../../../../test/support/data/visits.ts'
import { numRuns } from '../../../../test/support/vitest/effort.ts'

/** Events at different moments, of persons with two IDs each, some of them merged. */
const events: fc.Arbitrary<readonly TestEvent[]> = fc
  .uniqueArray(
    fc.record({
      minute: fc.integer({ min: 0, max: 5 * 24 * 60 }),
      event: fc.constantFrom('a', 'b', 'c', '$identify'),
      person: fc.constantFrom('ada', 'bob', 'cy'),
      isAnonymous: fc.boolean(),
      properties: fc.record({ plan: fc.constantFrom('pro', 'free', '') }, { requiredKeys: [] }),
    }),
    { selector: ({ minute }) => minute, minLength: 25, maxLength: 60 },
  )
  .map((drawn) =>
    drawn.map(({ minute, event, person, isAnonymous, properties }) => ({
      event,
      at: new Date(Date.UTC(2026, 2, 12, 0, minute)).toISOString(),
      person: isAnonymous && event !== '$identify' ? `${person} (phone)` : person,
      properties: {
        ...properties,
        ...(event === '$identify' && { $anon_distinct_id: `${person} (phone)` }),
      },
    })),
  )

const dateRange = { date_from: '2026-03-13', date_to: '2026-03-16' }
const days = ['2026-03-13', '2026-03-14', '2026-03-15', '2026-03-16']
const [a, b, c] = ['a', 'b', 'c'].map((event) => ({ kind: 'EventsNode', event }))
const breakdownFilter = { breakdown: 'plan', breakdown_limit: 1 }
const OTHER = '$$_posthog_breakdown_other_$$'

const trend = (more: object) => ({ kind: 'TrendsQuery', series: [a], dateRange, ...more })
const funnel = (funnelOrderType: string, more: object = {}) => ({
  kind: 'FunnelsQuery',
  series: [a, b, c],
  dateRange,
  funnelsFilter: { funnelOrderType, funnelWindowInterval: 2, ...more },
})
const retention = (more: object) => ({
  kind: 'RetentionQuery',
  dateRange: { date_to: '2026-03-16' },
  retentionFilter: {
    totalIntervals: 3,
    targetEntity: { id: 'a' },
    returningEntity: { id: 'b' },
    ...more,
  },
})

const insight = (source: object, point: object = {}) => ({
  kind: 'InsightActorsQuery',
  source,
  ...point,
})
const ofFunnel = (source: object, point: object) => ({
  kind: 'FunnelsActorsQuery',
  source,
  ...point,
})

const POINTS: readonly object[] = [
  ...days.map((day) => insight(trend({}), { day })),
  insight(trend({ series: [{ ...a, math: 'weekly_active' }] }), { day: '2026-03-14' }),
  insight(trend({ series: [{ ...a, math: 'first_time_for_user' }] })),
  insight(trend({ series: [{ ...a, math: 'first_time_for_user' }], breakdownFilter })),
  insight(trend({ breakdownFilter }), { breakdown: 'pro' }),
  insight(trend({ breakdownFilter }), { breakdown: OTHER }),
  ...['ordered', 'strict', 'unordered'].flatMap((order) =>
    [1, 2, 3, -2, -3].map((funnelStep) => ofFunnel(funnel(order), { funnelStep })),
  ),
  ofFunnel(
    { ...funnel('ordered'), breakdownFilter },
    { funnelStep: 1, funnelStepBreakdown: 'pro' },
  ),
  ofFunnel(funnel('ordered', { funnelVizType: 'trends' }), {
    funnelTrendsEntrancePeriodStart: '2026-03-14',
    funnelTrendsDropOff: true,
  }),
  ...['new', 'returning', 'resurrecting', 'dormant'].map((status) =>
    insight({ kind: 'LifecycleQuery', series: [a], dateRange }, { day: '2026-03-15', status }),
  ),
  ...[1, 2].map((day) =>
    insight({ kind: 'StickinessQuery', series: [a, b], dateRange }, { series: 1, day }),
  ),
  ...[
    { pathStartKey: '1_a', pathEndKey: '2_b' },
    { pathStartKey: '2_b' },
    { pathEndKey: '1_a' },
    { pathDropoffKey: '2_c' },
    { startPoint: 'a', pathEndKey: '2_b' },
    { pathGroupings: ['*'], pathEndKey: '1_*' },
  ].map((pathsFilter) => insight({ kind: 'PathsQuery', dateRange, pathsFilter })),
  ...[{}, { cumulative: true }, { retentionType: 'retention_first_time' }].flatMap((more) =>
    [0, 1, 2].map((returned) => insight(retention(more), { interval: 0, returned })),
  ),
]

/** Counts by name, sorted. */
const countsOf = (names: readonly string[]): [string, number][] =>
  [...Map.groupBy(names, (name) => name)]
    .map(([name, all]): [string, number] => [name, all.length])
    .toSorted()

it('lists as many events of each person as the list of persons says', async () => {
  await fc.assert(
    fc.asyncProperty(events, async (given) => {
      const api = await useApp()
      await api.services.events.append(api.projectId, given.map(toEvent))
      const listRows = async (query: object) => {
        const { body, text } = await api.post(QUERY, { query: { ...query, limit: 1000 } })
        expect(body.results, text).toBeTruthy()
        return body.results
      }

      for (const source of POINTS) {
        const actors: [string, number][] = await listRows({
          kind: 'ActorsQuery',
          source,
          select: ['id', 'event_count'],
        })
        const found: [string, string][] = await listRows({
          kind: 'EventsQuery',
          source,
          select: ['person_id', 'uuid'],
        })

        const expected = actors.filter(([, count]) => count > 0).toSorted()
        expect(countsOf(found.map(([person]) => person)), JSON.stringify(source)).toEqual(expected)
        expect(new Set(found.map(([, uuid]) => uuid)).size).toBe(found.length)
      }
    }),
    numRuns(20, 2),
  )
}, 600_000)
