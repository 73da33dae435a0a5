import { expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { addEvents, doing, setting } from '../../../../test/support/data/persons.ts'

const explain = (api: TestApp, query: string, more: object = {}) =>
  api.post('query/explain', { query: { kind: 'HogQLQuery', query, ...more } })

async function startProject() {
  const api = await useApp()
  await addEvents(api, setting('ada', { plan: 'pro' }), doing('ada'), doing('ada'), doing('bob'))
  const other = await useApp()
  await addEvents(other, doing('eve'), doing('eve'), doing('eve'), doing('eve'))
  return { api, other }
}

it('says what SQL reads and returns, in words', { tags: 'sql' }, async () => {
  const { api } = await startProject()

  const query = 'select event, count() as n from events group by event order by n desc'
  const { status, body, text } = await explain(api, query)

  expect(status, text).toBe(200)
  expect(body).toMatchObject({ rows_returned: 2, has_more: false })
  expect(body.rows_read).toBeGreaterThanOrEqual(4)
  expect(body.summary[0]).toMatch(/^Reads [\d,]+ rows and returns 2 rows\.$/)
  expect(body.summary[1]).toMatch(/^Took [\d.]+ s of at most 20 s/)
  expect(body.work.length).toBeGreaterThan(0)
})

it('tells that a limit cuts the result', { tags: 'sql' }, async () => {
  const { api } = await startProject()

  const { body } = await explain(api, 'select uuid from events limit 1')

  expect(body).toMatchObject({ rows_returned: 1, has_more: true })
  expect(body.summary.join(' ')).toContain('Raise LIMIT')
})

it('explains joins, windows, texts, cohorts and actions', { tags: 'sql' }, async () => {
  const { api } = await startProject()
  const { body: action } = await api.post('actions', {
    name: 'Visit',
    steps: [{ event: 'visited' }],
  })

  for (const query of [
    'select e.event, p.properties.plan from events e join persons p on p.id = e.person_id',
    'select event, row_number() over (partition by person_id order by timestamp) from events',
    `select count() from events where matchesAction(${action.id}) and event like 'vis%'`,
    'select count() from events where {filters} and person_id in (select id from persons)',
  ]) {
    const { status, text } = await explain(api, query, { filters: { dateRange: null } })
    expect(status, text).toBe(200)
  }
})

it.each([
  ['a mistake', { kind: 'HogQLQuery', query: 'select nothing from events' }, 'query__query'],
  ['another kind', { kind: 'TrendsQuery', series: [{ event: 'a' }] }, 'query__kind'],
  ['an unknown kind', { kind: 'Magic' }, 'query__kind'],
  ['no query', undefined, 'query'],
])('refuses %s', async (_, query, attr) => {
  const api = await useApp()

  const response = await api.post('query/explain', { query })

  expect(response, response.text).toMatchObject({ status: 400, body: { attr } })
})

it('shows nothing of the data of another project', { tags: 'sql' }, async () => {
  const { other } = await startProject()

  const { body } = await explain(other, 'select distinct_id from events')

  expect(body.rows_returned).toBe(4)
})
