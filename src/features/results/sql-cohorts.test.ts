import { expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../test/support/app/app.ts'
import { COHORTS, cohortOf, createCohort } from '../../../test/support/data/cohorts.ts'
import { addEvents, doing, setting } from '../../../test/support/data/persons.ts'
import { QUERY } from '../../../test/support/data/visits.ts'

async function startProject() {
  const api = await useApp()
  await addEvents(
    api,
    setting('ada', { plan: 'pro' }),
    setting('bob', { plan: 'free' }),
    doing('bob'),
    doing('ada'),
    doing('ada'),
    doing('nobody', { $process_person_profile: false }),
  )
  const pro = await createCohort(api, {
    name: "Ada's plan",
    ...cohortOf({ type: 'person', key: 'plan', value: ['pro'] }),
  })
  const listed = await createCohort(api, {
    name: 'Listed',
    is_static: true,
    distinct_ids: ['bob', 'later'],
  })
  return { api, pro: pro.id, listed: listed.id }
}

const ask = (api: TestApp, query: string) =>
  api.post(QUERY, { query: { kind: 'HogQLQuery', query } })

const listRows = async (api: TestApp, query: string) => {
  const { body, text } = await ask(api, query)
  expect(body.results, text).toBeTruthy()
  return body.results
}

it('finds dynamic and static cohorts by ID and by name', { tags: 'sql' }, async () => {
  const { api, pro, listed } = await startProject()
  const count = async (condition: string) =>
    (
      await listRows(api, `select count() from events where event = 'visited' and ${condition}`)
    )[0][0]

  expect(await count(`person_id in cohort ${pro}`)).toBe(2)
  expect(await count(`person_id IN COHORT 'Ada''s plan'`)).toBe(2)
  expect(await count(`person_id IN\n  COHORT ${listed} -- in cohort 9`)).toBe(1)
  expect(await count(`person_id NOT IN COHORT 'Listed'`)).toBe(3)
  expect(await count(`(person_id in cohort ${pro} or person_id in cohort ${listed})`)).toBe(3)
  expect(await count(`'in cohort 9' <> event`)).toBe(4)
})

it('filters persons too', { tags: 'sql' }, async () => {
  const { api } = await startProject()

  const query = "select properties.plan from persons where id in cohort 'Listed'"
  expect(await listRows(api, query)).toEqual([['free']])
})

it('lists the persons of all cohorts in cohort_people', { tags: 'sql' }, async () => {
  const { api, pro, listed } = await startProject()

  const query = `select cohort_id, properties.plan from cohort_people
    join persons on id = person_id order by cohort_id`
  expect(await listRows(api, query)).toEqual([
    [pro, 'pro'],
    [listed, 'free'],
  ])
  const some = `select count() from events
    where person_id in (select person_id from cohort_people where cohort_id = ${pro})`
  expect(await listRows(api, some)).toEqual([[3]])
})

it('does not find cohorts of another project or in the trash', async () => {
  const { api, pro, listed } = await startProject()
  const other = await useApp()

  expect(await listRows(other, 'select * from cohort_people')).toEqual([])
  const refused = await ask(other, `select count() from events where person_id in cohort ${pro}`)
  expect(refused).toMatchObject({ status: 400, body: { attr: 'query__query' } })
  await api.patch(`${COHORTS}/${listed}`, { deleted: true })
  expect(await listRows(api, 'select cohort_id from cohort_people')).toEqual([[pro]])
})

it('is recomputed when a cohort changes', async () => {
  const { api, listed } = await startProject()
  const query = `select count() from events where person_id in cohort 'Listed'`
  expect(await listRows(api, query)).toEqual([[2]])

  await api.patch(`${COHORTS}/${listed}`, { distinct_ids: ['ada'] })

  expect(await listRows(api, query)).toEqual([[5]])
})

it.each([
  ['an unknown name', "person_id in cohort 'No''body'", 'There is no cohort "No\'body"'],
  ['an unknown ID', 'person_id in cohort 999999', 'There is no cohort 999999'],
  ['another column', 'timestamp in cohort 1', 'the UUID of a person'],
  ['no cohort', 'person_id in cohort', 'contains is not available'],
  ['an expression', 'person_id in cohort (1 + 1)', 'There is no cohort null'],
])('refuses %s', async (_, condition, detail) => {
  const api = await useApp()

  const { status, body } = await ask(api, `select count() from events where ${condition}`)

  expect([status, body.attr]).toEqual([400, 'query__query'])
  expect(body.detail).toContain(detail)
})

it('reports the position of a mistake, even after a cohort', async () => {
  const { api, pro } = await startProject()

  const query = `select 1 from events where person_id in cohort ${pro} and and`
  const { body } = await ask(api, query)

  expect(body.detail).toContain(String(query.lastIndexOf('and') + 1))
})

it('refuses a query whose cohorts have too many conditions', async () => {
  const { api } = await startProject()
  const conditions = Array.from({ length: 100 }, (_, n) => ({
    type: 'person' as const,
    key: 'plan',
    value: [`plan ${n}`],
  }))
  const { id } = await createCohort(api, { name: 'Large', ...cohortOf(...conditions) })
  const among = (times: number) => Array(times).fill(`person_id in cohort ${id}`).join(' or ')

  const { status, body } = await ask(api, `select count() from events where ${among(50)}`)

  expect([status, body.detail]).toEqual([400, expect.stringContaining('too complex')])
  expect(await listRows(api, `select count() from events where ${among(2)}`)).toEqual([[0]])
})
