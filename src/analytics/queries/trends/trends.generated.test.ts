import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MATHS } from '#model/query-kinds/common.schema.ts'
import { DISPLAYS } from '#model/query-kinds/trends.schema.ts'
import type { TrendSeries } from '#model/query-results.ts'
import { type DatedQuery, expectTrend } from '../../../../test/reference/trends.ts'
import { withMerges, withPersons } from '../../../../test/reference/visitors.ts'
import { dayOf, PLACES, toMoment } from '../../../../test/reference/visits.ts'
import { type Cell, expectActors } from '../../../../test/support/data/actors.ts'
import { contextOf, startStores, type TestEvent } from '../../../../test/support/data/queries.ts'
import { numRuns } from '../../../../test/support/vitest/effort.ts'
import { compileTrendsQuery } from './compile.ts'

/** Box plots show values of a property instead, and have tests of their own. */
const COUNTING = DISPLAYS.filter((display) => display !== 'BoxPlot')

const MINUTES = [0, 1, 30, 59, 60, 90, 719, 1380, 1439]

const moment = (place: (typeof PLACES)[number]) =>
  fc
    .tuple(
      fc.integer({ min: -40, max: 4 }),
      fc.integer({ min: -4, max: 4 }),
      fc.boolean(),
      fc.constantFrom(...MINUTES),
      fc.constantFrom(0, 59_999),
    )
    .map(([far, near, isFar, minute, ms]) => {
      const start = Temporal.PlainDate.from(dayOf(place.date, isFar ? far : near)).toZonedDateTime(
        place.zone,
      )
      return new Date(start.epochMilliseconds + minute * 60_000 + ms).toISOString()
    })

const properties = fc.record(
  {
    plan: fc.constantFrom('pro', 'free', '', null, 'ünï', 'Z', "it's"),
    amount: fc.constantFrom(0, 1.5, -2.25, 10, '7.5', 'many', true, null),
    $session_id: fc.constantFrom('s1', 's2', 's3'),
    $groups: fc.record({ company: fc.constantFrom('acme', 'globex') }),
  },
  { requiredKeys: [] },
)

const IDS = ['ada', 'bob', 'cyd', 'dan', 'eve']

const eventsIn = (place: (typeof PLACES)[number]): fc.Arbitrary<TestEvent[]> =>
  fc.uniqueArray(
    withMerges(
      fc.record({
        event: fc.constantFrom('a', 'b'),
        person: fc.constantFrom(...IDS),
        at: moment(place),
        properties,
        uuid: fc.uuid(),
      }),
      IDS,
    ),
    { maxLength: 25, selector: ({ uuid }) => uuid },
  )

const node = fc.record({
  event: fc.constantFrom('a', 'b', null),
  // these events have no groups
  math: fc.constantFrom(...MATHS.filter((math) => math !== 'unique_group')),
  math_property: fc.constant('amount'),
  math_group_type_index: fc.constant(0),
  properties: fc.constantFrom(
    [],
    [{ key: 'plan', value: 'pro' }],
    [{ key: 'plan', value: 'pro', type: 'person' }],
  ),
})

const queryIn = (place: (typeof PLACES)[number]): fc.Arbitrary<DatedQuery> =>
  fc
    .record({
      kind: fc.constant('TrendsQuery' as const),
      series: fc.array(node, { minLength: 1, maxLength: 3 }),
      interval: fc.constantFrom('hour', 'day', 'week', 'month'),
      dateRange: fc
        .tuple(fc.integer({ min: -3, max: 0 }), fc.integer({ min: 0, max: 3 }))
        .map(([from, to]) => ({
          date_from: dayOf(place.date, from),
          date_to: dayOf(place.date, to),
        })),
      breakdownFilter: fc.constantFrom(
        null,
        { breakdown: 'plan' },
        { breakdown: 'plan', breakdown_limit: 2 },
        { breakdown: 'plan', breakdown_type: 'person' },
        { breakdown: ['plan', '$session_id'], breakdown_limit: 3 },
      ),
      compareFilter: fc.constantFrom(null, { compare: true }, { compare: true, compare_to: '-1w' }),
      trendsFilter: fc.record({ display: fc.constantFrom(...COUNTING) }),
    })
    .chain((query) =>
      fc.constantFrom(undefined, 'A / B').map((formula) => ({
        ...query,
        trendsFilter: { ...query.trendsFilter, ...(query.series.length > 1 && { formula }) },
      })),
    ) as never

const cases = fc.constantFrom(...PLACES).chain((place) =>
  fc.record({
    place: fc.constant(place),
    events: eventsIn(place),
    query: queryIn(place),
    weekStart: fc.constantFrom(0 as const, 1 as const),
  }),
)

const COUNTS: Readonly<Record<string, Cell['counts']>> = {
  total: 'events',
  first_time_for_user: 'events',
  dau: 'persons',
  weekly_active: 'persons',
  monthly_active: 'persons',
}

/** The numbers that count persons or events. A formula counts neither. */
function cellsOf(series: TrendSeries, zone: string): Cell[] {
  const { action, data, days, breakdown_value, compare_label, aggregated_value } = series
  const counts = COUNTS[action?.math ?? '']
  if (!action || !counts) return []
  const point = {
    series: action.order,
    breakdown: breakdown_value ?? null,
    compare: compare_label ?? null,
  }
  if (aggregated_value !== undefined) return [{ point, number: aggregated_value, counts }]
  return data.map((number, index) => {
    return { point: { ...point, day: toMoment(days, index, zone) }, number, counts }
  })
}

describe('a generated trend', () => {
  it('equals the result of a naive count', async () => {
    const stores = await startStores()
    let projectId = 1

    await fc.assert(
      fc.asyncProperty(cases, async ({ place, events, query, weekStart }) => {
        projectId++
        await stores.add(events, projectId)
        const context = contextOf({ zone: place.zone, weekStart })

        const result = await stores.run(compileTrendsQuery(query, context), projectId)

        const shown = result.map(
          ({ data, days, aggregated_value, breakdown_value, compare_label }) => ({
            data,
            days,
            aggregated_value,
            breakdown_value,
            compare_label,
          }),
        )
        expect(shown).toEqual(expectTrend(query, withPersons(events), place.zone, weekStart))
        const cells = result.flatMap((series) => cellsOf(series, place.zone))
        await expectActors(stores, projectId, { query, context, cells })
      }),
      numRuns(100, 15),
    )
  }, 600_000)
})
