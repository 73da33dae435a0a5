import { expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../test/support/app/app.ts'
import { cohortOf, createCohort } from '../../../test/support/data/cohorts.ts'
import { addEvents, doing, setting } from '../../../test/support/data/persons.ts'
import { QUERY } from '../../../test/support/data/visits.ts'

const STEPS = [
  { event: 'order placed', properties: [{ key: 'plan', value: 'pro' }] },
  { event: '$pageview', url: '/thanks' },
]

async function startProject() {
  const api = await useApp()
  await addEvents(
    api,
    setting('ada', { team: 'red' }),
    doing('ada', { event: 'order placed', plan: 'pro' }),
    doing('ada', { event: '$pageview', $current_url: 'https://a.test/THANKS' }),
    doing('bob', { event: 'order placed', plan: 'free' }),
    doing('bob', { event: '$pageview', $current_url: 'https://a.test/thanks?x' }),
    doing('cy', { event: '$pageview', $current_url: 'https://a.test/shop' }),
  )
  const { body, text } = await api.post('actions', { name: "It's bought", steps: STEPS })
  expect(body.id, text).toEqual(expect.any(Number))
  return { api, id: body.id as number }
}

const ask = (api: TestApp, query: string) =>
  api.post(QUERY, { query: { kind: 'HogQLQuery', query } })

async function listRows(api: TestApp, query: string) {
  const { body, text } = await ask(api, query)
  expect(body.results, text).toBeTruthy()
  return body.results
}

it('finds the events of an action by its ID and by its name', { tags: 'sql' }, async () => {
  const { api, id } = await startProject()
  const count = async (condition: string) =>
    (await listRows(api, `select count() from events where ${condition}`))[0][0]

  expect(await count(`matchesAction(${id})`)).toBe(3)
  expect(await count(`MATCHESACTION( 'It''s bought' )`)).toBe(3)
  expect(await count(`event = '$pageview' and not matchesAction(${id})`)).toBe(1)
  expect(
    await count(`'matchesAction(9)' <> event and matchesAction(${id}) -- matchesAction(8)`),
  ).toBe(3)
})

it('counts, groups and joins by actions', { tags: 'sql' }, async () => {
  const { api, id } = await startProject()
  await api.post('actions', { name: 'Left', steps: [{ event: 'left' }] })

  const counts = `select uniqIf(person_id, matchesAction(${id})), countIf(matchesAction('Left')) from events`
  expect(await listRows(api, counts)).toEqual([[2, 0]])
  const groups = `select matchesAction(${id}) as bought, count() from events
    where event <> '$set' group by bought order by bought`
  expect(await listRows(api, groups)).toEqual([
    [false, 2],
    [true, 3],
  ])
  const join = `with bought as (select person_id, count() as n from events where matchesAction(${id}) group by 1)
    select properties.team, n from bought join persons on id = person_id where properties.team = 'red'`
  expect(await listRows(api, join)).toEqual([['red', 2]])
})

it('matches the persons and cohorts of its steps', { tags: 'sql' }, async () => {
  const { api } = await startProject()
  const red = await createCohort(api, {
    ...{ name: 'Red', ...cohortOf({ type: 'person', key: 'team', value: ['red'] }) },
  })
  const steps = [{ event: '$pageview', properties: [{ key: 'id', type: 'cohort', value: red.id }] }]
  await api.post('actions', { name: 'Visit', steps })

  const query = `select distinct_id, person.properties.team from events where matchesAction('Visit')`
  expect(await listRows(api, query)).toEqual([['ada', 'red']])
})

it('is recomputed when an action changes', async () => {
  const { api, id } = await startProject()
  const query = `select count() from events where matchesAction(${id})`
  expect(await listRows(api, query)).toEqual([[3]])

  await api.patch(`actions/${id}`, { steps: [{ event: 'order placed' }] })

  expect(await listRows(api, query)).toEqual([[2]])
})

it('lists the persons that a query of an action returns', { tags: 'sql' }, async () => {
  const { api, id } = await startProject()
  const source = {
    kind: 'HogQLQuery',
    query: `select person_id from events where matchesAction(${id})`,
  }

  const { body, text } = await api.post(QUERY, {
    query: { kind: 'ActorsQuery', select: ['actor'], source },
  })

  expect(body.results, text).toHaveLength(2)
})

it('does not find an action of another project, in the trash or without steps', async () => {
  const { api, id } = await startProject()
  const other = await useApp()
  const query = `select count() from events where matchesAction(${id})`
  const refused = { status: 400, body: { code: 'invalid_input', attr: 'query__query' } }

  expect(await ask(other, query)).toMatchObject(refused)
  await api.patch(`actions/${id}`, { steps: [] })
  expect((await ask(api, query)).body.detail).toBe(`The action ${id} has no steps.`)
  await api.patch(`actions/${id}`, { deleted: true })
  expect(await ask(api, query)).toMatchObject(refused)
  expect((await ask(api, query)).body.detail).toContain(`There is no action ${id}.`)
})

it.each([
  ['an unknown name', "matchesAction('No''body')", 'There is no action "No\'body"'],
  ['an unknown ID', 'matchesAction(999999)', 'There is no action 999999'],
  ['no action', 'matchesAction()', 'takes one action'],
  ['two actions', 'matchesAction(1, 2)', 'takes one action'],
  ['a column', 'matchesAction(event)', 'takes one action'],
  ['an expression', 'matchesAction(1 + 1)', 'takes one action'],
  ['DISTINCT', 'matchesAction(distinct 1)', 'takes one action'],
])('refuses %s', async (_, condition, detail) => {
  const api = await useApp()

  const { status, body } = await ask(api, `select count() from events where ${condition}`)

  expect([status, body.attr]).toEqual([400, 'query__query'])
  expect(body.detail).toContain(detail)
})

it('needs the table of events, and it alone', async () => {
  const { api, id } = await startProject()
  const of = `matchesAction(${id})`

  for (const [query, detail] of [
    [`select 1 from persons where ${of}`, 'needs the table events in FROM'],
    [`select 1 from events a join events b on a.uuid = b.uuid where ${of}`, 'events alone'],
    [`select 1 from events where exists (select 1 from persons where ${of})`, 'in FROM'],
    [`select count() from events having ${of}`, 'GROUP BY'],
  ] as const) {
    const { status, body } = await ask(api, query)
    expect([status, body.attr]).toEqual([400, 'query__query'])
    expect(body.detail).toContain(detail)
  }
})

it('takes no rules from a request', async () => {
  const api = await useApp()
  const actions = [{ id: 1, name: 'Mine', event: null, rules: { type: 'OR', values: [] } }]

  const { status, body } = await api.post(QUERY, {
    query: { kind: 'HogQLQuery', query: 'select 1 from events where matchesAction(1)', actions },
  })

  expect([status, body.attr]).toEqual([400, 'query__actions'])
})
