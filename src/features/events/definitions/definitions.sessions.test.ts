import { expect, it } from 'vitest'
import { SESSION_PROPERTIES } from '#model/session-properties.ts'
import { useApp } from '../../../../test/support/app/app.ts'

async function startWithSessions() {
  const api = await useApp()
  const { body } = await api.get('')
  const view = (distinct_id: string, minutes: number, properties: object) => ({
    event: '$pageview',
    distinct_id,
    timestamp: new Date(Date.now() - minutes * 60_000).toISOString(),
    properties,
  })
  const batch = [
    view('ada', 9, { $session_id: 's1', $pathname: '/', $referring_domain: 'www.google.com' }),
    view('ada', 8, { $session_id: 's1', $pathname: '/buy' }),
    view('bob', 7, { $pathname: '/blog', $referring_domain: '$direct' }),
  ]
  await api.post('/batch', { api_key: body.api_token, batch })
  return api
}

it('lists the properties of sessions', async () => {
  const api = await startWithSessions()

  const { body } = await api.get('property_definitions?type=session&limit=100')

  const found = body.results.map((each: { name: string; property_type: string }) => [
    each.name,
    each.property_type,
  ])
  expect(Object.fromEntries(found)).toEqual(SESSION_PROPERTIES)
  expect(body.results[0]).toMatchObject({ type: 'session', verified: false })
})

it('describes a property of sessions', async () => {
  const api = await startWithSessions()
  const [{ id }] = (await api.get('property_definitions?type=session&search=channel')).body.results

  await api.patch(`property_definitions/${id}`, { description: 'Where visitors come from' })

  const { body } = await api.get(`property_definitions/${id}`)
  expect(body).toMatchObject({
    name: '$channel_type',
    type: 'session',
    description: 'Where visitors come from',
  })
})

it('lists the values of a property of sessions by events', { tags: 'sql' }, async () => {
  const api = await startWithSessions()
  const listValues = async (key: string) =>
    (await api.get(`property_values?type=session&key=${key}`)).body.results

  expect(await listValues('$channel_type')).toEqual([
    { value: 'Organic Search', count: 2 },
    { value: 'Direct', count: 1 },
  ])
  expect(await listValues('$entry_pathname')).toEqual([
    { value: '/', count: 2 },
    { value: '/blog', count: 1 },
  ])
})

it('filters events and queries by properties of sessions', { tags: 'sql' }, async () => {
  const api = await startWithSessions()
  const filter = [{ type: 'session', key: '$exit_pathname', value: '/buy' }]

  const events = await api.get(`events?properties=${encodeURIComponent(JSON.stringify(filter))}`)
  const { body } = await api.post('query', {
    query: { kind: 'TrendsQuery', series: [{ event: '$pageview' }], properties: filter },
  })

  expect(events.body.results).toHaveLength(2)
  expect(body.results[0].count).toBe(2)
})

it('refuses properties that sessions have not', async () => {
  const api = await startWithSessions()
  const query = {
    kind: 'TrendsQuery',
    series: [{ event: '$pageview' }],
    properties: [{ type: 'session', key: 'plan', value: 'pro' }],
  }

  const refused = await api.post('query', { query })
  const values = await api.get('property_values?type=session&key=plan')

  expect([refused.status, refused.body.attr]).toEqual([400, 'query__properties__0__key'])
  expect([values.status, values.body.attr]).toEqual([400, 'key'])
})
