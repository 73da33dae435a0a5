import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../test/support/app/app.ts'
import { addEvents, doing } from '../../../test/support/data/persons.ts'
import { QUERY } from '../../../test/support/data/visits.ts'

const AT = { timestamp: '2026-03-02T10:00:00.000Z' }
const dateRange = { date_from: '2026-03-01', date_to: '2026-03-03' }
const series = [{ kind: 'EventsNode', event: 'visit' }]
const grouped = { aggregation_group_type_index: 0 }

const trends = (more: object) => ({ kind: 'TrendsQuery', series, dateRange, ...more })
const node = (more: object) => trends({ series: [{ ...series[0], ...more }] })
const filter = (more: object) => trends({ properties: [{ key: 'plan', value: 'pro', ...more }] })
const breakdown = (breakdownFilter: object) => trends({ breakdownFilter })
const funnels = (more: object) => ({
  kind: 'FunnelsQuery',
  series: [...series, { kind: 'EventsNode', event: 'buy' }],
  dateRange,
  ...more,
})
const stickiness = (more: object) => ({ kind: 'StickinessQuery', series, dateRange, ...more })
const sql = (query: string, more: object = {}) => ({ kind: 'HogQLQuery', query, ...more })

const unique = { math: 'unique_group', math_group_type_index: 0 }

/** Two companies, of which one has a profile, and a visitor without any. */
async function start(): Promise<TestApp> {
  const api = await useApp()
  const visit = (id: string, more: object = {}) => doing(id, { event: 'visit', ...AT, ...more })
  await addEvents(
    api,
    visit('ada', { $groups: { company: 'acme' } }),
    visit('bob', { $groups: { company: 'acme' } }),
    visit('cy', { $groups: { company: 'globex' } }),
    visit('dan'),
    doing('ada', { event: 'buy', ...AT, $groups: { company: 'acme' } }),
    doing('ada', {
      event: '$groupidentify',
      ...AT,
      $group_type: 'company',
      $group_key: 'acme',
      $group_set: { plan: 'pro' },
    }),
  )
  return api
}

const ask = async (api: TestApp, query: object) => (await api.post(QUERY, { query })).body.results

describe('a query', () => {
  it('counts groups instead of persons', { tags: 'sql' }, async () => {
    const api = await start()

    expect((await ask(api, node({ math: 'dau' })))[0].data).toEqual([0, 4, 0])
    expect((await ask(api, node(unique)))[0].data).toEqual([0, 2, 0])
    const steps = await ask(api, funnels(grouped))
    expect(steps.map(({ count }: { count: number }) => count)).toEqual([2, 1])
    expect((await ask(api, stickiness(grouped)))[0].data).toEqual([2, 0, 0])
    const mixed = await ask(api, stickiness({ series: [...series, { ...series[0], ...unique }] }))
    expect(mixed.map(({ data }: { data: number[] }) => data[0])).toEqual([4, 2])
  })

  it('filters and breaks down by properties of groups', { tags: 'sql' }, async () => {
    const api = await start()
    const ofGroup = { type: 'group', group_type_index: 0 }

    expect((await ask(api, filter(ofGroup)))[0].data).toEqual([0, 2, 0])
    const values = await ask(
      api,
      breakdown({ breakdown: 'plan', breakdown_type: 'group', breakdown_group_type_index: 0 }),
    )
    expect(values.map((line: Record<string, unknown>) => [line.label, line.count])).toEqual([
      ['None (no value)', 2],
      ['pro', 2],
    ])
    const isAcme = { type: 'event_metadata', key: '$group_0', value: 'acme' }
    expect((await ask(api, filter(isAcme)))[0].data).toEqual([0, 2, 0])
  })

  it('reads groups in SQL', { tags: 'sql' }, async () => {
    const api = await start()

    expect(
      await ask(
        api,
        sql("select $group_0, count() from events where event = 'visit' group by 1 order by 1"),
      ),
    ).toEqual([
      ['acme', 2],
      ['globex', 1],
      [null, 1],
    ])
    expect(
      await ask(api, sql('select index, key, properties.plan, created_at, updated_at from groups')),
    ).toEqual([[0, 'acme', 'pro', AT.timestamp, AT.timestamp]])
    expect(
      await ask(
        api,
        sql(
          'select g.properties.plan, count() from events e join groups g on g.key = e.$group_0 group by 1',
        ),
      ),
    ).toEqual([['pro', 3]])
    const filtered = sql('select count() from events where {filters}', {
      filters: { properties: [{ key: 'plan', value: 'pro', type: 'group', group_type_index: 0 }] },
    })
    expect(await ask(api, filtered)).toEqual([[3]])
  })

  it.each<[string, object]>([
    ['series__0__math_group_type_index', node({ math: 'unique_group' })],
    ['series__0__math_group_type_index', node({ math_group_type_index: 0 })],
    ['series__0__math_group_type_index', node({ ...unique, math_group_type_index: 1 })],
    ['series__0__math_group_type_index', node({ ...unique, math_group_type_index: 5 })],
    ['series__0__math_group_type_index', node({ ...unique, math_group_type_index: 'company' })],
    ['properties__0__group_type_index', filter({ type: 'group' })],
    ['properties__0__group_type_index', filter({ group_type_index: 0 })],
    ['properties__0__group_type_index', filter({ type: 'group', group_type_index: 3 })],
    [
      'properties__values__0__values__0__group_type_index',
      trends({
        properties: {
          type: 'AND',
          values: [{ type: 'OR', values: [{ key: 'k', type: 'group', group_type_index: 2 }] }],
        },
      }),
    ],
    [
      'breakdownFilter__breakdown_group_type_index',
      breakdown({ breakdown: 'x', breakdown_type: 'group' }),
    ],
    [
      'breakdownFilter__breakdown_group_type_index',
      breakdown({ breakdown: 'x', breakdown_group_type_index: 0 }),
    ],
    [
      'breakdownFilter__breakdowns__0__group_type_index',
      breakdown({ breakdowns: [{ property: 'x', type: 'group', group_type_index: 1 }] }),
    ],
    ['aggregation_group_type_index', funnels({ aggregation_group_type_index: 1 })],
    ['aggregation_group_type_index', stickiness({ aggregation_group_type_index: -1 })],
    ['aggregation_group_type_index', trends({ aggregation_group_type_index: 0 })],
    ['aggregation_group_type_index', { kind: 'PathsQuery', aggregation_group_type_index: 0 }],
    [
      'filters__properties__0__group_type_index',
      sql('select 1', { filters: { properties: [{ key: 'k', type: 'group' }] } }),
    ],
  ])('is refused at %s: %j', async (attr, query) => {
    const api = await start()

    const { status, body } = await api.post(QUERY, { query })

    expect([status, body.attr]).toEqual([400, `query__${attr}`])
  })

  it('names an unknown group type in the error', async () => {
    const api = await start()

    const { body } = await api.post(QUERY, {
      query: filter({ type: 'group', group_type_index: 3 }),
    })

    expect(body).toMatchObject({ code: 'does_not_exist', detail: 'Group type 3 does not exist.' })
  })
})
