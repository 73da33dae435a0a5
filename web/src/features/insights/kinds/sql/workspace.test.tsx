import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { insight, pageOf } from '../../../../test/fixtures.ts'
import { openPage } from '../../../../test/render.tsx'
import { type FakeRequest, problem } from '../../../../test/server.ts'

const QUERY = 'POST /api/projects/1/query'
const EXPLAIN = 'POST /api/projects/1/query/explain'
const EXPLANATION = {
  summary: ['Reads 1,234 rows and returns 10 rows.', 'Took 0.3 s of at most 20 s: reading 68%.'],
  ...{ milliseconds: 340, rows_read: 1234, rows_returned: 10, has_more: false },
  work: [{ name: 'read', percent: 68 }],
}
const SQL = {
  kind: 'DataVisualizationNode',
  source: { kind: 'HogQLQuery', query: 'select 1, 2 from events' },
}

const definition = (name: string) => ({ id: name, name, property_type: 'String' })

async function open() {
  const text = Buffer.from(JSON.stringify(SQL)).toString('base64url')
  const opened = await openPage(`/project/1/insights/new?q=${text}`, {
    [QUERY]: { columns: ['1'], results: [[1]], is_cached: false, last_refresh: null },
    'GET /api/projects/1/event_definitions': pageOf(),
    'GET /api/projects/1/property_definitions': ({ query }: FakeRequest) =>
      pageOf(definition(query.get('type') === 'person' ? 'plan' : '$browser')),
    'GET /api/projects/1/actions': pageOf({ id: 7, name: 'Bought', description: '' }),
    [EXPLAIN]: EXPLANATION,
    'GET /api/environments/1/dashboards': pageOf(),
    'GET /api/environments/1/insights': pageOf(
      insight({ name: 'Revenue', short_id: 'abc', query: SQL }),
      insight({ name: 'Visits', query: { kind: 'TrendsQuery' } }),
    ),
  })
  await screen.findByLabelText('SQL query')
  return opened
}

const editorText = () => screen.getByLabelText('SQL query').textContent

it('lists tables, columns and properties, and adds the one that is clicked to the query', async () => {
  const { user } = await open()
  await screen.findByRole('button', { name: /^properties\.\$browser/ })

  await user.type(screen.getByRole('searchbox', { name: 'Search tables and columns' }), 'PLAN')
  expect(screen.queryByRole('button', { name: /\$browser/ })).toBeNull()
  const events = within(screen.getByRole('region', { name: 'events' }))
  await user.click(events.getByRole('button', { name: /^person\.properties\.plan/ }))

  await waitFor(() => expect(editorText()).toContain('person.properties.plan'))
})

it('formats the query', async () => {
  const { user } = await open()

  await user.click(screen.getByRole('button', { name: 'Format' }))

  await waitFor(() => expect(editorText()).toBe('select  1,  2from events'))
})

it('keeps the queries that were run, and links those that were saved', async () => {
  const { user } = await open()
  await user.click(screen.getByRole('button', { name: /^Run/ }))
  await user.click(screen.getByRole('button', { name: 'Format' }))

  await user.click(screen.getByRole('button', { name: 'History' }))

  const saved = await screen.findByRole('link', { name: 'Revenue' })
  expect(saved.getAttribute('href')).toContain('/insights/abc')
  expect(screen.queryByRole('link', { name: 'Visits' })).toBeNull()
  await user.click(screen.getByRole('button', { name: /^select 1, 2 from events/ }))
  await waitFor(() => expect(editorText()).toBe('select 1, 2 from events'))
})

it('adds the condition of an action', async () => {
  const { user } = await open()

  const actions = within(await screen.findByRole('region', { name: 'Actions' }))
  await user.click(actions.getByRole('button', { name: /^Bought/ }))

  await waitFor(() => expect(editorText()).toContain('matchesAction(7)'))
})

it('explains the query in words, or why it cannot', async () => {
  const { user, server } = await open()

  await user.click(screen.getByRole('button', { name: 'Explain' }))

  const words = within(await screen.findByRole('region', { name: 'Explanation' }))
  expect(words.getByText('Reads 1,234 rows and returns 10 rows.')).toBeTruthy()
  expect(server.bodiesOf(EXPLAIN)).toEqual([{ query: SQL.source }])
  server.reply({ [EXPLAIN]: problem(400, 'There is no column "nothing".', 'query__query') })
  await user.click(screen.getByRole('button', { name: 'Explain' }))
  expect(await screen.findByText('There is no column "nothing".')).toBeTruthy()
})
