import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../test/support/app/app.ts'
import { ago, COHORTS, cohortOf, createCohort } from '../../../test/support/data/cohorts.ts'
import { addEvents, doing, setting, signingIn } from '../../../test/support/data/persons.ts'

const pro = { type: 'person', key: 'plan', value: ['pro'] }

async function start() {
  const api = await useApp()
  await addEvents(
    api,
    setting('ada', { plan: 'pro' }, ago(40)),
    setting('bob', { plan: 'free' }, ago(40)),
    ...[1, 2].map((days) => doing('ada', { event: 'paid', timestamp: ago(days), sum: 1 })),
    doing('bob', { event: 'paid', timestamp: ago(2), sum: 50 }),
    doing('cy', { event: 'paid', timestamp: ago(2), sum: 50 }),
  )
  return api
}

/** Counts the events of persons in or outside of a cohort. */
async function count(api: TestApp, filter: object, more: object = {}): Promise<number> {
  const query = {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: 'paid' }],
    dateRange: { date_from: '-7d' },
    trendsFilter: { display: 'BoldNumber' },
    properties: [filter],
    ...more,
  }
  const { status, body, text } = await api.post('query', { query })
  expect(status, text).toBe(200)
  return body.results[0].aggregated_value ?? body.results[0].count
}

const inCohort = (value: number, operator = 'in') => ({
  key: 'id',
  type: 'cohort',
  value,
  operator,
})

describe('queries filtered by a cohort', () => {
  it('count its persons, or all other persons', { tags: 'sql' }, async () => {
    const api = await start()
    const { id } = await createCohort(api, cohortOf(pro))

    expect(await count(api, inCohort(id))).toBe(2)
    expect(await count(api, inCohort(id, 'not_in'))).toBe(2)
    expect(await count(api, { key: 'id', type: 'cohort', value: [String(id)] })).toBe(2)
  })

  it('follow changes of the cohort and its persons', async () => {
    const api = await start()
    const { id } = await createCohort(api, cohortOf(pro))
    expect(await count(api, inCohort(id))).toBe(2)

    await api.patch(`${COHORTS}/${id}`, cohortOf({ ...pro, negation: true }))
    expect(await count(api, inCohort(id))).toBe(2)
    await addEvents(api, setting('cy', { plan: 'pro' }, ago(1)))
    expect(await count(api, inCohort(id))).toBe(1)
    await addEvents(api, signingIn('ada', 'bob'))

    expect(await count(api, inCohort(id))).toBe(0)
  })

  it('follow the members of a static cohort', { tags: 'sql' }, async () => {
    const api = await start()
    const { id } = await createCohort(api, { is_static: true, distinct_ids: ['bob'] })
    expect(await count(api, inCohort(id))).toBe(1)

    await api.patch(`${COHORTS}/${id}`, { distinct_ids: ['ada'] })

    expect(await count(api, inCohort(id))).toBe(3)
  })

  it('read the event properties that the cohort uses', async () => {
    const api = await start()
    const behavior = {
      type: 'behavioral',
      key: 'paid',
      value: 'performed_event',
      explicit_datetime: '-7d',
      event_filters: [{ key: 'sum', operator: 'gt', value: 10 }],
    }
    const { id } = await createCohort(api, cohortOf(behavior))

    expect(await count(api, inCohort(id))).toBe(2)
    const cheap = { key: 'sum', operator: 'lt', value: 10 }
    expect(await count(api, {}, { properties: [cheap, inCohort(id, 'not_in')] })).toBe(2)
  })

  it('work in funnels, SQL and the filters of test accounts', { tags: 'sql' }, async () => {
    const api = await start()
    const { id } = await createCohort(api, cohortOf(pro))
    const series = [1, 2].map(() => ({ kind: 'EventsNode', event: 'paid' }))
    const funnel = {
      kind: 'FunnelsQuery',
      series,
      dateRange: { date_from: '-7d' },
      properties: [inCohort(id)],
    }
    const filters = { properties: [inCohort(id, 'not_in')] }
    const select = "select count() from events where event = 'paid' and {filters}"

    const { body } = await api.post('query', { query: funnel })
    expect(body.results.map((step: { count: number }) => step.count)).toEqual([1, 1])
    const sql = { kind: 'HogQLQuery', query: select, filters }
    expect((await api.post('query', { query: sql })).body.results).toEqual([[2]])
    await api.patch('', { test_account_filters: [inCohort(id, 'not_in')] })
    const any = { key: 'sum', operator: 'is_set' }
    expect(await count(api, any, { filterTestAccounts: true })).toBe(2)
  })

  it.each([
    ['an unknown cohort', { value: 987_654_321 }, 'value', /987654321 does not exist/],
    ['a value that is not a number', { value: 'ten' }, 'value', /ID of one cohort/],
    ['another operator', { value: 1, operator: 'gt' }, 'operator', /not_in/],
  ])('are refused for %s', async (_, filter, field, detail) => {
    const api = await useApp()
    const properties = [{ key: 'id', type: 'cohort', ...filter }]
    const series = [{ kind: 'EventsNode', event: 'paid' }]

    const { status, body } = await api.post('query', {
      query: { kind: 'TrendsQuery', series, properties },
    })

    expect([status, body.attr]).toEqual([400, `query__properties__0__${field}`])
    expect(body.detail).toMatch(detail)
  })

  it('do not find cohorts of another project or in the trash', async () => {
    const api = await start()
    const { id } = await createCohort(api, cohortOf(pro))
    const series = [{ kind: 'EventsNode', event: 'paid' }]
    const query = { kind: 'TrendsQuery', series, properties: [inCohort(id)] }
    const other = await api.createProject()

    expect((await api.post(api.path('query', other), { query })).status).toBe(400)
    expect((await api.post('query', { query })).status).toBe(200)
    await api.patch(`${COHORTS}/${id}`, { deleted: true })
    expect((await api.post('query', { query })).status).toBe(400)
  })
})

describe('lists of persons filtered by a cohort', () => {
  it('show its persons', { tags: 'sql' }, async () => {
    const api = await start()
    const { id } = await createCohort(api, cohortOf(pro))
    const ids = async (query: string) =>
      (await api.get(`persons?${query}`)).body.results
        .map(({ distinct_ids }: { distinct_ids: string[] }) => distinct_ids[0])
        .toSorted()
    const outside = JSON.stringify([inCohort(id, 'not_in')])

    expect(await ids(`cohort=${id}`)).toEqual(['ada'])
    expect(await ids(`cohort=${id}&search=bob`)).toEqual([])
    expect(await ids(`properties=${encodeURIComponent(outside)}`)).toEqual(['bob', 'cy'])
    expect((await api.get('persons?cohort=987654321')).body.attr).toBe('cohort')
  })
})
