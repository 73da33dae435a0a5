import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { addEvents, doing } from '../../../../test/support/data/persons.ts'
import { QUERY } from '../../../../test/support/data/visits.ts'

const AT = { timestamp: '2026-03-02T10:00:00.000Z' }
const LATER = { timestamp: '2026-03-02T11:00:00.000Z' }
const dateRange = { date_from: '2026-03-01', date_to: '2026-03-03' }
const visit = { kind: 'EventsNode', event: 'visit' }
const buy = { kind: 'EventsNode', event: 'buy' }
const grouped = { aggregation_group_type_index: 0 }
const unique = { math: 'unique_group', math_group_type_index: 0 }

const insight = (source: object, point: object = {}) => ({
  kind: 'InsightActorsQuery',
  source,
  ...point,
})
const TREND = { kind: 'TrendsQuery', series: [visit, { ...visit, ...unique }], dateRange }
const trend = insight(TREND, { series: 1, day: '2026-03-02' })
const step = (funnelStep: number) => ({
  kind: 'FunnelsActorsQuery',
  source: { kind: 'FunnelsQuery', series: [visit, buy], dateRange, ...grouped },
  funnelStep,
})

/** Two companies, of which one has a profile, and a visitor without any. */
async function start(): Promise<TestApp> {
  const api = await useApp()
  const of = (id: string, company: string) =>
    doing(id, { event: 'visit', ...AT, $groups: { company } })
  await addEvents(
    api,
    of('ada', 'acme'),
    of('bob', 'acme'),
    of('cy', 'globex'),
    doing('dan', { event: 'visit', ...AT }),
    doing('ada', { event: 'buy', ...LATER, $groups: { company: 'acme' } }),
    doing('ada', {
      event: '$groupidentify',
      ...AT,
      $group_type: 'company',
      $group_key: 'acme',
      $group_set: { name: 'Acme Inc.', plan: 'pro' },
    }),
  )
  return api
}

const ask = (api: TestApp, query: object) =>
  api.post(QUERY, { query: { kind: 'ActorsQuery', ...query } })

/** Lists the key of each group with the number of events. */
const readList = async (api: TestApp, source: object, more: object = {}) => {
  const { body, text } = await ask(api, { source, select: ['id', 'event_count'], ...more })
  expect(body.results, text).toBeTruthy()
  return body.results
}

describe('the groups behind a number', () => {
  it('are listed with their properties, most events first', { tags: 'sql' }, async () => {
    const api = await start()

    const { body } = await ask(api, { source: trend, select: ['actor', 'event_count'] })

    expect(body.results).toEqual([
      [
        {
          id: 'acme',
          type: 'group',
          name: 'Acme Inc.',
          group_key: 'acme',
          group_type_index: 0,
          properties: { name: 'Acme Inc.', plan: 'pro' },
          created_at: expect.any(String),
        },
        2,
      ],
      [
        {
          id: 'globex',
          type: 'group',
          name: 'globex',
          group_key: 'globex',
          group_type_index: 0,
          properties: {},
          created_at: null,
        },
        1,
      ],
    ])
  })

  it('are listed for every kind that counts groups', { tags: 'sql' }, async () => {
    const api = await start()
    const retentionFilter = { totalIntervals: 2, targetEntity: { id: 'visit' } }
    const dates = { dateRange: { date_to: '2026-03-03' } }
    const lifecycle = { kind: 'LifecycleQuery', series: [visit], dateRange, ...grouped }
    const stickiness = { kind: 'StickinessQuery', series: [visit], dateRange, ...grouped }
    const retention = { kind: 'RetentionQuery', retentionFilter, ...dates, ...grouped }
    const both = [
      ['acme', 2],
      ['globex', 1],
    ]

    expect(await readList(api, step(2))).toEqual([['acme', 2]])
    expect(await readList(api, step(-2))).toEqual([['globex', 1]])
    const isNew = { day: '2026-03-02', status: 'new' }
    expect(await readList(api, insight(lifecycle, isNew))).toEqual(both)
    expect(await readList(api, insight(stickiness, { day: 1 }))).toEqual(both)
    expect(await readList(api, insight(retention, { interval: 0 }))).toEqual(both)
  })

  it('leave the persons of other series alone', async () => {
    const api = await start()

    const { body } = await ask(api, { source: insight(TREND), select: ['actor'] })

    expect(body.results).toHaveLength(4)
    expect(body.results[0][0].type).toBe('person')
  })

  it('are paginated, searched and sorted', { tags: 'sql' }, async () => {
    const api = await start()

    expect((await ask(api, { source: trend, limit: 1 })).body.hasMore).toBe(true)
    expect(await readList(api, trend, { limit: 1, offset: 1 })).toEqual([['globex', 1]])
    expect(await readList(api, trend, { search: 'INC' })).toEqual([['acme', 2]])
    expect(await readList(api, trend, { search: 'glob' })).toEqual([['globex', 1]])
    expect(await readList(api, trend, { orderBy: ['id DESC'] })).toHaveLength(2)
    const select = ['id', 'group.properties.plan', 'properties.plan']
    const { body } = await ask(api, { source: trend, select, orderBy: ['properties.plan'] })
    expect(body.results).toEqual([
      ['acme', 'pro', 'pro'],
      ['globex', null, null],
    ])
  })

  it('have their events listed', async () => {
    const api = await start()
    const events = async (source: object) => {
      const query = { kind: 'EventsQuery', source, select: ['event', 'distinct_id'] }
      const { body } = await api.post(QUERY, { query: { ...query, orderBy: ['timestamp ASC'] } })
      return body.results.map((row: string[]) => row.join(' ')).toSorted()
    }

    expect(await events(trend)).toEqual(['visit ada', 'visit bob', 'visit cy'])
    expect(await events(step(-2))).toEqual(['visit cy'])
  })

  it.each<[attr: string, query: object]>([
    ['properties', { source: trend, properties: [{ key: 'a', value: 'b', type: 'person' }] }],
    ['select__0', { source: trend, select: ['person.properties.plan'] }],
    ['orderBy__0', { source: trend, orderBy: ['actor'] }],
    [
      'source__source__series__0__math_group_type_index',
      {
        source: insight({ ...TREND, series: [{ ...visit, ...unique, math_group_type_index: 4 }] }),
      },
    ],
  ])('are refused with an invalid %s', async (attr, query) => {
    const api = await start()

    const { status, body } = await ask(api, query)

    expect([status, body.attr]).toEqual([400, `query__${attr}`])
  })

  it('do not become a cohort', async () => {
    const api = await start()

    const { status, body } = await api.post('cohorts', {
      name: 'Companies',
      is_static: true,
      query: { kind: 'ActorsQuery', source: trend },
    })

    expect([status, body.attr]).toEqual([400, 'query__source'])
  })
})
