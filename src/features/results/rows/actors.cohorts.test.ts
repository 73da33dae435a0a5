import { expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { COHORTS, createCohort, listMembers } from '../../../../test/support/data/cohorts.ts'
import { addEvents, doing, setting, signingIn } from '../../../../test/support/data/persons.ts'
import { QUERY } from '../../../../test/support/data/visits.ts'

const dateRange = { date_from: '2026-01-01', date_to: '2026-01-03' }
const trend = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'visited', math: 'dau' }],
  dateRange,
}
const visitors = (more: object = {}) => ({
  kind: 'ActorsQuery',
  source: { kind: 'InsightActorsQuery', source: { ...trend, ...more } },
})

async function startProject(): Promise<TestApp> {
  const api = await useApp()
  await addEvents(
    api,
    doing('anon'),
    signingIn('ada', 'anon', { plan: 'pro' }),
    doing('bob'),
    setting('cyd', { plan: 'pro' }),
    doing('visitor', { $process_person_profile: false }),
  )
  return api
}

const readCount = async (api: TestApp, query: object): Promise<number> =>
  (await api.post(QUERY, { query })).body.results.length

it('saves all persons of a query, not only one page, as a static cohort', {
  tags: 'sql',
}, async () => {
  const api = await startProject()

  const cohort = await createCohort(api, {
    is_static: true,
    query: { ...visitors(), limit: 1, offset: 1, select: ['actor'] },
  })

  expect(cohort).toMatchObject({ is_static: true, count: 2 })
  expect(await listMembers(api, cohort.id)).toEqual(['ada', 'bob'])
  await addEvents(api, doing('visitor'))
  expect(await listMembers(api, cohort.id)).toEqual(['ada', 'bob', 'visitor'])
})

it('saves searched and filtered persons without a source', { tags: 'sql' }, async () => {
  const api = await startProject()
  const properties = [{ key: 'plan', value: 'pro', type: 'person' }]

  const cohort = await createCohort(api, {
    is_static: true,
    query: { kind: 'ActorsQuery', properties, search: 'c' },
  })

  expect(await listMembers(api, cohort.id)).toEqual(['cyd'])
})

it('lists the persons behind a number filtered by cohort and test accounts', async () => {
  const api = await startProject()
  const { id } = await createCohort(api, { is_static: true, distinct_ids: ['bob', 'cyd'] })
  const inCohort = [{ key: 'id', value: id, type: 'cohort' }]

  expect(await readCount(api, visitors())).toBe(3)
  expect(await readCount(api, visitors({ properties: inCohort }))).toBe(1)
  expect(await readCount(api, { ...visitors(), properties: inCohort })).toBe(1)
  expect(await readCount(api, { kind: 'ActorsQuery', properties: inCohort })).toBe(2)
  const test_account_filters = [{ ...inCohort[0], operator: 'not_in' }]
  await api.patch('', { test_account_filters })
  expect(await readCount(api, visitors({ filterTestAccounts: true }))).toBe(2)
})

it.each<[string, object]>([
  ['query', { is_static: false, query: visitors() }],
  ['query', { query: visitors(), filters: {} }],
  ['query__kind', { is_static: true, query: trend }],
  ['query__source__source__series', { is_static: true, query: visitors({ series: [] }) }],
])('refuses a cohort with an invalid %s: %j', async (attr, body) => {
  const api = await useApp()

  const { status, body: response } = await api.post(COHORTS, { name: 'Cohort', ...body })

  expect([status, response.attr]).toEqual([400, attr])
  expect((await api.get(COHORTS)).body.count).toBe(0)
})

it('requires the scopes query:read and person:read', async () => {
  const body = { name: 'Cohort', is_static: true, query: { kind: 'ActorsQuery' } }
  for (const scopes of [['cohort:write'], ['cohort:write', 'query:read']] as const) {
    const api = await useApp(scopes)
    expect((await api.post(COHORTS, body)).status).toBe(403)
  }
  const api = await useApp(['cohort:write', 'query:read', 'person:read'])
  expect((await api.post(COHORTS, body)).status).toBe(201)
})
