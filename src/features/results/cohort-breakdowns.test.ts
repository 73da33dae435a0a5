import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../test/support/app/app.ts'
import { ago, cohortOf, createCohort } from '../../../test/support/data/cohorts.ts'
import { addEvents, doing, setting } from '../../../test/support/data/persons.ts'
import { QUERY } from '../../../test/support/data/visits.ts'

const series = [{ kind: 'EventsNode', event: 'paid' }]
const dateRange = { date_from: '-7d' }
const trend = (breakdown: unknown, more: object = {}) => ({
  kind: 'TrendsQuery',
  series,
  dateRange,
  trendsFilter: { display: 'ActionsBarValue' },
  breakdownFilter: { breakdown_type: 'cohort', breakdown },
  ...more,
})
const funnel = (breakdown: unknown, more: object = {}) => ({
  kind: 'FunnelsQuery',
  series: [...series, { kind: 'EventsNode', event: 'returned' }],
  dateRange,
  breakdownFilter: { breakdown_type: 'cohort', breakdown },
  ...more,
})

/** Ada pays twice, returns and is in both cohorts; Bob pays and is in one of them; Cy pays and is in none. */
async function start() {
  const api = await useApp()
  await addEvents(
    api,
    setting('ada', { plan: 'pro', country: 'de' }, ago(40)),
    setting('bob', { plan: 'free', country: 'de' }, ago(40)),
    ...[4, 2].map((days) => doing('ada', { event: 'paid', timestamp: ago(days) })),
    doing('ada', { event: 'returned', timestamp: ago(1) }),
    doing('bob', { event: 'paid', timestamp: ago(2) }),
    doing('cy', { event: 'paid', timestamp: ago(2), $process_person_profile: false }),
  )
  const named = async (name: string, key: string, value: string) =>
    (await createCohort(api, { ...cohortOf({ type: 'person', key, value: [value] }), name })).id
  const pro = await named('Pro', 'plan', 'pro')
  return { api, pro, german: await named('German', 'country', 'de') }
}

const ask = async (api: TestApp, query: object) => {
  const { status, body, text } = await api.post(QUERY, { query })
  expect(status, text).toBe(200)
  return body.results
}

describe('a breakdown by cohorts', () => {
  it('counts each cohort and everyone, in the order given', { tags: 'sql' }, async () => {
    const { api, pro, german } = await start()

    const results = await ask(api, trend(['all', german, String(pro)]))

    expect(
      results.map((each: Record<string, unknown>) => [
        each.label,
        each.breakdown_value,
        each.breakdown_label,
        each.aggregated_value,
      ]),
    ).toEqual([
      ['All persons', 'all', 'All persons', 4],
      ['German', german, 'German', 3],
      ['Pro', pro, 'Pro', 2],
    ])
  })

  it('shows a cohort without events, and takes a single one', async () => {
    const { api } = await start()
    const { id } = await createCohort(api, { is_static: true, distinct_ids: [], name: 'Empty' })

    const [only, ...others] = await ask(api, trend(id))

    expect(others).toEqual([])
    expect(only).toMatchObject({ label: 'Empty', breakdown_value: id, aggregated_value: 0 })
  })

  it('shows a cohort that has events only in the previous period', async () => {
    const { api, pro } = await start()
    const more = { dateRange: { date_from: '-1d' }, compareFilter: { compare: true } }

    const results = await ask(api, trend([pro], more))

    expect(
      results.map((each: Record<string, unknown>) => [each.compare_label, each.aggregated_value]),
    ).toEqual([
      ['current', 0],
      ['previous', 1],
    ])
  })

  it('follows changes of the cohorts', async () => {
    const { api, pro } = await start()
    const count = async () => (await ask(api, trend([pro])))[0].aggregated_value
    expect(await count()).toBe(2)

    await addEvents(api, setting('bob', { plan: 'pro' }, ago(1)))

    expect(await count()).toBe(3)
  })

  it('repeats the attempts of a funnel for every cohort of a person', { tags: 'sql' }, async () => {
    const { api, pro, german } = await start()

    const results = await ask(api, funnel([pro, german, 'all']))

    type Step = { breakdown_value: unknown; breakdown_label: string; count: number }
    expect(
      results.map((steps: Step[]) => [
        steps[0]?.breakdown_value,
        steps[0]?.breakdown_label,
        ...steps.map(({ count }) => count),
      ]),
    ).toEqual([
      [pro, 'Pro', 1, 1],
      [german, 'German', 2, 1],
      ['all', 'All persons', 3, 1],
    ])
  })

  it('has persons and events behind each cohort', { tags: 'sql' }, async () => {
    const { api, pro, german } = await start()
    const behind = async (kind: string, source: object) =>
      (await ask(api, { kind, source, select: [kind === 'ActorsQuery' ? 'id' : 'uuid'] })).length
    const point = (breakdown?: unknown) => ({
      kind: 'InsightActorsQuery',
      source: trend([pro, german, 'all']),
      breakdown,
    })
    const step = (more: object) => ({
      kind: 'FunnelsActorsQuery',
      source: funnel([pro, german]),
      funnelStep: 1,
      ...more,
    })

    expect(await behind('ActorsQuery', point(german))).toBe(2)
    expect(await behind('EventsQuery', point(german))).toBe(3)
    expect(await behind('EventsQuery', point('all'))).toBe(4)
    expect(await behind('ActorsQuery', step({ funnelStepBreakdown: pro }))).toBe(1)
    expect(await behind('ActorsQuery', step({}))).toBe(2)
    expect(await behind('EventsQuery', step({}))).toBe(3)
  })

  it.each<[attr: string, query: object]>([
    ['breakdownFilter__breakdown', trend([999_999])],
    ['breakdownFilter__breakdown', trend(['pro'])],
    ['breakdownFilter__breakdown', trend(Array(26).fill('all'))],
    [
      'breakdownFilter__breakdown',
      trend(null, { breakdownFilter: { breakdown: [1], breakdown_type: 'event' } }),
    ],
    ['breakdownFilter__breakdown', trend(null, { breakdownFilter: { breakdown: [...'abcd'] } })],
    ['breakdownFilter__breakdown', funnel([999_999])],
  ])('is refused with an invalid %s: %j', async (attr, query) => {
    const { api } = await start()

    const { status, body } = await api.post(QUERY, { query })

    expect([status, body.attr]).toEqual([400, `query__${attr}`])
  })

  it('is refused where a funnel counts groups, and behind a cohort that is not shown', async () => {
    const { api, pro, german } = await start()
    await addEvents(api, doing('ada', { event: 'x', $groups: { company: 'acme' } }))

    const grouped = await api.post(QUERY, {
      query: funnel([pro], { aggregation_group_type_index: 0 }),
    })
    const source = { kind: 'InsightActorsQuery', source: trend([pro]), breakdown: german }
    const hidden = await api.post(QUERY, { query: { kind: 'ActorsQuery', source } })

    expect([grouped.status, grouped.body.attr]).toEqual([
      400,
      'query__breakdownFilter__breakdown_type',
    ])
    expect([hidden.status, hidden.body.attr]).toEqual([400, 'query__source__breakdown'])
  })
})
