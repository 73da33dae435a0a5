import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../test/support/app/app.ts'
import { ago, cohortOf } from '../../../test/support/data/cohorts.ts'
import { addEvents, doing } from '../../../test/support/data/persons.ts'

const BOUGHT = {
  name: 'Bought',
  steps: [
    { event: 'order placed', properties: [{ key: 'plan', value: 'pro' }] },
    { event: '$pageview', url: '/thanks' },
    { text: 'Buy', text_matching: 'exact' },
  ],
}

/** Ada matches each step once, Bob one of them, Cy none. */
async function start(steps: object[] = BOUGHT.steps) {
  const api = await useApp()
  const at = (days: number) => ({ timestamp: ago(days) })
  await addEvents(
    api,
    doing('ada', { ...at(3), event: 'order placed', plan: 'pro' }),
    doing('ada', { ...at(2), event: '$pageview', $current_url: 'https://a.test/thanks?x=1' }),
    doing('ada', { ...at(1), event: '$autocapture', $el_text: 'Buy' }),
    doing('bob', { ...at(1), event: 'order placed', plan: 'free' }),
    doing('bob', { ...at(1), event: '$pageview', $current_url: 'https://a.test/THANKS' }),
    doing('cy', { ...at(2), event: '$pageview', $current_url: 'https://a.test/shop' }),
    doing('cy', { ...at(1), event: '$autocapture', $el_text: 'Buy now' }),
  )
  const { body, text } = await api.post('actions', { ...BOUGHT, steps })
  expect(body.id, text).toEqual(expect.any(Number))
  return { api, id: body.id as number, node: { kind: 'ActionsNode', id: body.id as number } }
}

const WEEK = { dateRange: { date_from: '-7d' } }

async function run(api: TestApp, query: object, common: object = WEEK) {
  const { status, body, text } = await api.post('query', { query: { ...common, ...query } })
  expect(status, text).toBe(200)
  return body.results
}

const count = async (api: TestApp, node: object, more: object = {}) => {
  const [series] = await run(api, { kind: 'TrendsQuery', series: [node], ...more })
  return series.count
}

describe('a series of an action', () => {
  it('counts the events that match any of its steps', { tags: 'sql' }, async () => {
    const { api, id, node } = await start()

    const [series] = await run(api, { kind: 'TrendsQuery', series: [{ ...node, math: 'total' }] })

    expect(series).toMatchObject({
      count: 4,
      label: 'Bought',
      action: { id, name: 'Bought', type: 'actions', custom_name: null, order: 0 },
    })
    expect(await count(api, { ...node, properties: [{ key: 'plan', value: 'pro' }] })).toBe(1)
    const ofPage = { key: 'event', type: 'event_metadata', value: '$pageview' }
    expect(await count(api, node, { properties: [ofPage] })).toBe(2)
  })

  it('is counted beside events, by person and broken down', { tags: 'sql' }, async () => {
    const { api, node } = await start()
    const any = { kind: 'EventsNode', event: null }
    const series = [any, node].map((each) => ({ ...each, math: 'dau' }))

    const both = await run(api, {
      ...{ kind: 'TrendsQuery', series, trendsFilter: { display: 'BoldNumber' } },
    })
    const broken = await run(api, {
      ...{ kind: 'TrendsQuery', series: [node], breakdownFilter: { breakdown: 'plan' } },
    })

    expect(both.map((one: { aggregated_value: number }) => one.aggregated_value)).toEqual([3, 2])
    expect(
      broken.map((one: { breakdown_value: string; count: number }) => one.count).toSorted(),
    ).toEqual([1, 3])
  })

  it('counts the first time that a person did it', { tags: 'sql' }, async () => {
    const { api, node } = await start()
    const first = { ...node, math: 'first_time_for_user' }

    expect(await count(api, first)).toBe(2)
    // ada's first one has a plan, bob's has none
    expect(await count(api, { ...first, properties: [{ key: 'plan', value: 'pro' }] })).toBe(1)
    expect(await count(api, { ...first, properties: [{ key: '$el_text', value: 'Buy' }] })).toBe(0)
  })

  it('changes its numbers when the action changes', async () => {
    const { api, id, node } = await start()
    expect(await count(api, node)).toBe(4)

    await api.patch(`actions/${id}`, { steps: [{ event: '$autocapture' }] })

    expect(await count(api, node)).toBe(2)
    expect((await api.patch(`actions/${id}`, { steps: [] })).status).toBe(200)
    const empty = await api.post('query', { query: { kind: 'TrendsQuery', series: [node] } })
    expect(empty).toMatchObject({ status: 400, body: { attr: 'query__series__0__id' } })
  })

  it('is refused once the action is in the trash, or is of another project', async () => {
    const { api, id, node } = await start()
    const other = await useApp()
    const query = { kind: 'InsightVizNode', source: { kind: 'TrendsQuery', series: [node] } }
    await api.patch(`actions/${id}`, { deleted: true })

    for (const caller of [api, other]) {
      expect(await caller.post('query', { query })).toMatchObject({
        status: 400,
        body: { code: 'does_not_exist', attr: 'query__source__series__0__id' },
      })
    }
  })

  it('has the persons and events behind its number', { tags: 'sql' }, async () => {
    const { api, node } = await start()
    const source = {
      ...{ kind: 'InsightActorsQuery', series: 0 },
      source: { kind: 'TrendsQuery', series: [node], ...WEEK },
    }

    const actors = await run(api, { kind: 'ActorsQuery', select: ['actor'], source }, {})
    const events = await run(api, { kind: 'EventsQuery', select: ['event'], source }, {})

    expect(actors).toHaveLength(2)
    expect(events.flat().toSorted()).toEqual([
      ...['$autocapture', '$pageview', '$pageview', 'order placed'],
    ])
  })
})

describe('an action', () => {
  it('is a step of a funnel', { tags: 'sql' }, async () => {
    const { api, id, node } = await start()
    const order = { kind: 'EventsNode', event: 'order placed' }

    const steps = await run(api, { kind: 'FunnelsQuery', series: [order, node] })

    expect(steps).toMatchObject([
      { action_id: 'order placed', type: 'events', count: 2 },
      { action_id: id, type: 'actions', name: 'Bought', count: 1 },
    ])
  })

  it('is counted by retention, lifecycle and stickiness', { tags: 'sql' }, async () => {
    const { api, id, node } = await start()
    const entity = { id, type: 'actions', name: 'Bought' }
    const retentionFilter = {
      ...{ period: 'Day', totalIntervals: 5, targetEntity: entity, returningEntity: entity },
    }

    const cohorts = await run(api, { kind: 'RetentionQuery', retentionFilter })
    const lifecycle = await run(api, { kind: 'LifecycleQuery', series: [node] })
    const [sticky] = await run(api, { kind: 'StickinessQuery', series: [node] })

    const came = cohorts.map(({ values }: { values: { count: number }[] }) => values[0]?.count)
    expect(came.reduce((sum: number, each: number) => sum + each, 0)).toBe(4)
    const added = lifecycle.find(({ status }: { status: string }) => status === 'new')
    expect(added).toMatchObject({ count: 2, action: { id, type: 'actions' } })
    expect(sticky.data.slice(0, 3)).toEqual([1, 0, 1])
  })

  it('is a step of paths, under its name', { tags: 'sql' }, async () => {
    const { api, node } = await start()
    const ofDee = [{ key: 'distinct_id', type: 'event_metadata', value: 'dee' }]
    const links = async (pathsFilter: object) =>
      (await run(api, { kind: 'PathsQuery', pathsFilter, properties: ofDee })).map(
        ({ source, target, value }: Record<string, unknown>) => [source, target, value],
      )
    const at = (minutes: number) => ({ timestamp: ago(1 - minutes / (24 * 60)) })
    await addEvents(
      api,
      doing('dee', { ...at(0), event: '$pageview', $pathname: '/shop' }),
      doing('dee', { ...at(1), event: 'order placed', plan: 'pro' }),
      doing('dee', { ...at(2), event: '$screen', $screen_name: 'End' }),
    )

    expect(await links({ includeActions: [node] })).toEqual([['1_/shop', '2_Bought', 1]])
    const types = ['$screen']
    const toScreen = [['1_Bought', '2_End', 1]]
    expect(await links({ includeActions: [node], includeEventTypes: types })).toEqual(toScreen)
    expect(await links({ includeActions: [node], includeEventTypes: [] })).toEqual([])
    const from = { includeActions: [node], startPoint: 'Bought', includeEventTypes: types }
    expect(await links(from)).toEqual(toScreen)
  })

  it.each([
    ['no action', { kind: 'EventsNode', id: 1 }, '__kind'],
    ['an unknown action', { kind: 'ActionsNode', id: 99_999_999 }, '__id'],
    ['an action without an ID', { kind: 'ActionsNode' }, '__id'],
    ['rules', { kind: 'ActionsNode', id: 1, rules: { type: 'OR', values: [] } }, '__rules'],
  ])('of paths is refused if it is %s', async (_, node, field) => {
    const api = await useApp()

    const { status, body } = await api.post('query', {
      query: { kind: 'PathsQuery', pathsFilter: { includeActions: [node] } },
    })

    const attr = `query__pathsFilter__includeActions__0${field}`
    expect([status, body.attr]).toEqual([400, attr])
  })

  it('is a goal of a site', { tags: 'sql' }, async () => {
    const { api, node } = await start()

    const rows = await run(api, { kind: 'WebGoalsQuery', goals: [node] })

    expect(rows).toEqual([['Bought', [2, null], [4, null], [0.666666666667, null]]])
  })

  it('is a condition of a cohort, which follows it', { tags: 'sql' }, async () => {
    const { api, id } = await start()
    const condition = {
      ...{ type: 'behavioral', key: id, event_type: 'actions', value: 'performed_event_multiple' },
      ...{ operator: 'gte', operator_value: 2, time_value: 30, time_interval: 'day' },
    }
    const { body: cohort } = await api.post('cohorts', { name: 'Fans', ...cohortOf(condition) })
    const inCohort = { key: 'id', type: 'cohort', value: cohort.id }
    const visits = { kind: 'EventsNode', event: '$autocapture' }

    expect(cohort).toMatchObject({ count: 1, ...cohortOf(condition) })
    expect(await count(api, visits, { properties: [inCohort] })).toBe(1)
    expect(await api.patch(`actions/${id}`, { deleted: true })).toMatchObject({ status: 409 })

    await api.patch(`actions/${id}`, { steps: [{ event: 'nothing' }] })

    expect((await api.get(`cohorts/${cohort.id}`)).body.count).toBe(0)
    expect(await count(api, visits, { properties: [inCohort] })).toBe(0)
  })

  it('that a cohort cannot follow is refused', async () => {
    const { api, id } = await start([
      { event: 'order placed', properties: [{ key: 'email', type: 'person', value: 'a' }] },
    ])
    const of = (key: unknown) => ({
      ...{ type: 'behavioral', key, event_type: 'actions', value: 'performed_event' },
      ...{ time_value: 30, time_interval: 'day' },
    })

    for (const key of [id, 99_999_999, 'Bought']) {
      expect(await api.post('cohorts', { name: 'Fans', ...cohortOf(of(key)) })).toMatchObject({
        status: 400,
        body: { attr: 'filters__properties__values__0__key' },
      })
    }
  })

  it('selects events in their list', { tags: 'sql' }, async () => {
    const { api, id } = await start()
    const list = async (query: string) => {
      const { body } = await api.get(`events?action_id=${id}${query}`)
      return body.results.map(({ event }: { event: string }) => event).toSorted()
    }
    const properties = JSON.stringify([{ key: 'plan', value: 'pro' }])

    expect(await list('')).toEqual(['$autocapture', '$pageview', '$pageview', 'order placed'])
    expect(await list(`&properties=${encodeURIComponent(properties)}`)).toEqual(['order placed'])
    expect(await list('&event=$pageview')).toEqual(['$pageview', '$pageview'])
    expect((await api.get('events?action_id=x')).body).toMatchObject({ attr: 'action_id' })
  })

  it('is the tile of a dashboard', async () => {
    const { api, node } = await start()
    const query = { kind: 'InsightVizNode', source: { kind: 'TrendsQuery', series: [node] } }

    const { body } = await api.post('/api/environments/@current/dashboards', {
      ...{ name: 'Shop', tiles: [{ insight: { name: 'Sales', query } }] },
    })
    const { body: shown } = await api.get(`dashboards/${body.id}?refresh=blocking`)

    expect(shown.tiles[0].insight.result[0]).toMatchObject({ count: 4, label: 'Bought' })
  })
})
