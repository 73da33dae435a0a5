import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { toEvent } from '../../../../test/support/data/queries.ts'
import {
  dateRange,
  insight,
  startProject,
  step,
  trend,
  visit,
} from '../../../../test/support/data/visitors.ts'
import { QUERY } from '../../../../test/support/data/visits.ts'

const ask = (api: TestApp, query: object) =>
  api.post(QUERY, { query: { kind: 'EventsQuery', ...query } })

/** Lists events as `visit ada 16 11:00`. */
async function readList(api: TestApp, source: object, more: object = {}): Promise<string[]> {
  const select = ['event', 'distinct_id', 'timestamp']
  const { body, text } = await ask(api, { source, select, ...more })
  expect(body.results, text).toBeTruthy()
  return body.results.map(([event, id, time]: string[]) =>
    [event, id, time?.slice(8, 10), time?.slice(11, 16)].join(' '),
  )
}

describe('the events behind a trend', () => {
  it('are listed for one day, newest first, with their persons', { tags: 'sql' }, async () => {
    const api = await startProject()

    const { status, body } = await ask(api, {
      source: insight(trend(), { day: '2026-03-16' }),
      select: ['*', 'person', 'person_id', 'properties.page', 'person.properties.plan'],
      limit: 2,
    })

    expect(status).toBe(200)
    expect(body).toMatchObject({ hasMore: true, limit: 2, offset: 0, timezone: 'UTC' })
    expect(body.columns).toEqual([
      '*',
      'person',
      'person_id',
      'properties.page',
      'person.properties.plan',
    ])
    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
    expect(body.results[0]).toEqual([
      {
        uuid,
        event: 'visit',
        distinct_id: 'ada',
        timestamp: '2026-03-16T11:00:00.000Z',
        properties: { page: 'b' },
        created_at: expect.any(String),
        person_id: uuid,
      },
      {
        uuid,
        name: 'ada@a.example',
        distinct_id: 'ada',
        properties: { plan: 'pro', email: 'ada@a.example' },
        created_at: '2026-03-16T10:00:00.000Z',
        is_identified: true,
      },
      uuid,
      'b',
      'pro',
    ])
    expect(body.results[1]?.[0]).toMatchObject({ distinct_id: 'anon' })
    expect(body.results[1]?.[1].uuid).toBe(body.results[0]?.[1].uuid)
  })

  it('are paginated, and sorted by time in either direction', { tags: 'sql' }, async () => {
    const api = await startProject()
    const source = insight(trend())

    expect(await readList(api, source, { limit: 2, offset: 1 })).toEqual([
      'visit bob 17 10:00',
      'visit ada 16 11:00',
    ])
    expect(await readList(api, source, { orderBy: ['timestamp ASC'], limit: 2 })).toEqual([
      'visit bob 16 09:00',
      'visit anon 16 10:00',
    ])
    expect((await ask(api, { source, offset: 5 })).body).toMatchObject({
      results: [],
      hasMore: false,
    })
  })

  it('have the breakdown value, or none of the largest', { tags: 'sql' }, async () => {
    const api = await startProject()
    const source = trend({ breakdownFilter: { breakdown: 'page', breakdown_limit: 1 } })
    const of = (breakdown: unknown) => readList(api, insight(source, { breakdown }))

    expect(await of('a')).toEqual(['visit anon 16 10:00', 'visit bob 16 09:00'])
    expect(await of('$$_posthog_breakdown_other_$$')).toEqual([
      'visit cy 17 12:00',
      'visit bob 17 10:00',
      'visit ada 16 11:00',
    ])
  })

  it('are the first of each person if the series counts those', { tags: 'sql' }, async () => {
    const api = await startProject()
    const source = trend({ series: [{ ...visit, math: 'first_time_for_user' }] })

    expect(await readList(api, insight(source))).toEqual([
      'visit cy 17 12:00',
      'visit anon 16 10:00',
      'visit bob 16 09:00',
    ])
  })

  it('follow the filters of a dashboard', async () => {
    const api = await startProject()

    const { body } = await api.post(QUERY, {
      query: { kind: 'EventsQuery', source: insight(trend()), select: ['distinct_id'] },
      filters_override: { date_from: '2026-03-17', date_to: '2026-03-17' },
    })

    expect(body.results).toEqual([['cy'], ['bob']])
  })
})

describe('the events behind other results', () => {
  it('are the steps that were taken in a funnel', { tags: 'sql' }, async () => {
    const api = await startProject()

    expect(await readList(api, step({ funnelStep: 2 }))).toEqual([
      'buy ada 16 12:00',
      'visit ada 16 11:00',
    ])
    expect(await readList(api, step({ funnelStep: -2 }))).toEqual([
      'visit cy 17 12:00',
      'visit bob 16 09:00',
    ])
  })

  it('are the visits of an interval with a status of a lifecycle', { tags: 'sql' }, async () => {
    const api = await startProject()
    const source = { kind: 'LifecycleQuery', series: [visit], dateRange }
    const of = (day: string, status: string) => readList(api, insight(source, { day, status }))

    expect(await of('2026-03-17', 'returning')).toEqual(['visit bob 17 10:00'])
    expect(await of('2026-03-17', 'new')).toEqual(['visit cy 17 12:00'])
    expect(await of('2026-03-17', 'dormant')).toEqual([])
  })

  it('are those of persons active in a number of stickiness intervals', {
    tags: 'sql',
  }, async () => {
    const api = await startProject()
    const source = { kind: 'StickinessQuery', series: [visit], dateRange }

    expect(await readList(api, insight(source, { day: 2 }))).toEqual([
      'visit bob 17 10:00',
      'visit bob 16 09:00',
    ])
  })

  it('are those to which a link of a path leads, once for each time it was taken', {
    tags: 'sql',
  }, async () => {
    const api = await startProject()
    const paths = (pathsFilter: object) => insight({ kind: 'PathsQuery', dateRange, pathsFilter })

    const link = await readList(api, paths({ pathStartKey: '1_visit', pathEndKey: '2_buy' }))
    expect(link).toEqual([])
    await api.services.events.append(api.projectId, [
      toEvent({ event: 'buy', person: 'cy', at: '2026-03-17T12:10:00Z' }),
      toEvent({ event: 'visit', person: 'cy', at: '2026-03-17T14:00:00Z' }),
      toEvent({ event: 'buy', person: 'cy', at: '2026-03-17T14:10:00Z' }),
    ])
    const taken = await readList(api, paths({ pathStartKey: '1_visit', pathEndKey: '2_buy' }))
    expect(taken).toEqual(['buy cy 17 14:10', 'buy cy 17 12:10'])
    expect(await readList(api, paths({ pathEndKey: '1_visit' }))).toEqual([
      'visit cy 17 14:00',
      'visit cy 17 12:00',
    ])
  })

  it('are those with which persons of a retention cell began or came back', {
    tags: 'sql',
  }, async () => {
    const api = await startProject()
    const entity = { id: 'visit' }
    const retentionFilter = { totalIntervals: 2, targetEntity: entity, returningEntity: entity }
    const source = { kind: 'RetentionQuery', retentionFilter, dateRange }

    const buying = { ...retentionFilter, returningEntity: { id: 'buy' } }
    expect(await readList(api, insight(source, { interval: 0 }))).toHaveLength(3)
    await api.services.events.append(api.projectId, [
      toEvent({ event: 'buy', person: 'bob', at: '2026-03-17T11:00:00Z' }),
    ])
    const bought = insight({ ...source, retentionFilter: buying }, { interval: 0, returned: 1 })
    expect(await readList(api, bought)).toEqual(['buy bob 17 11:00'])
    expect(await readList(api, insight(source, { interval: 0, returned: 1 }))).toEqual([
      'visit bob 17 10:00',
    ])
  })
})

describe('a query for events', () => {
  it.each<[attr: string, query: object]>([
    ['source', {}],
    ['source', { source: null }],
    ['source', { source: 'events' }],
    ['source__kind', { source: trend() }],
    ['source__kind', { source: { kind: 'HogQLQuery', query: 'select person_id from events' } }],
    ['source__source__kind', { source: insight(step({}).source) }],
    ['source__day', { source: insight(trend(), { day: '2026-03-15' }) }],
    ['select__0', { source: insight(trend()), select: ['count()'] }],
    ['select__1', { source: insight(trend()), select: ['*', 'toString'] }],
    ['orderBy__0', { source: insight(trend()), orderBy: ['event'] }],
    ['orderBy', { source: insight(trend()), orderBy: ['timestamp', 'event'] }],
    ['limit', { source: insight(trend()), limit: 1001 }],
    ['offset', { source: insight(trend()), offset: -1 }],
    ['where', { source: insight(trend()), where: ["event = 'a'"] }],
  ])('is refused with an invalid %s: %j', async (attr, query) => {
    const api = await useApp()

    const { status, body } = await ask(api, query)

    expect([status, body.attr]).toEqual([400, `query__${attr}`])
  })

  it('requires the scope person:read', async () => {
    const limited = await useApp(['query:read'])

    expect(await ask(limited, { source: insight(trend()) })).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('person:read') },
    })
  })

  it('returns large events in full', async () => {
    const api = await useApp()
    const text = 'x'.repeat(900_000)
    const event = { event: 'visit', at: '2026-03-16T10:00:00Z', properties: { text } }
    await api.services.events.append(api.projectId, [toEvent(event)])

    const { body } = await ask(api, { source: insight(trend()), select: ['properties.text'] })

    expect(body.results).toEqual([[text]])
  })
})
