import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { insight, pageOf } from '../../../../test/fixtures.ts'
import { openPage } from '../../../../test/render.tsx'
import type { FakeRequest } from '../../../../test/server.ts'

const QUERY = 'POST /api/projects/1/query'
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
