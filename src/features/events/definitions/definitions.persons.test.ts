import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app/app.ts'

async function startWithPersons() {
  const api = await useApp()
  const { body } = await api.get('')
  const set = (distinct_id: string, $set: object) => ({
    event: '$set',
    distinct_id,
    properties: { plan: 'of the event', $set },
  })
  const batch = [
    set('ada', { plan: 'pro', email: 'ada@example.com', seats: 3 }),
    set('bob', { plan: 'pro', seats: 'many' }),
    set('eve', { plan: 'free' }),
  ]
  await api.post('/batch', { api_key: body.api_token, batch })
  return api
}

it('lists properties of persons, most frequent first, with their types', {
  tags: 'sql',
}, async () => {
  const api = await startWithPersons()

  const { status, body } = await api.get('property_definitions?type=person')

  expect(status).toBe(200)
  expect(body.results).toMatchObject([
    { name: 'plan', property_type: 'String' },
    { name: 'seats', property_type: 'String' },
    { name: 'email', property_type: 'String' },
  ])
  const found = (await api.get('property_definitions?type=person&search=SEA')).body.results
  expect(found).toMatchObject([{ name: 'seats' }])
})

it('lists the most frequent values of persons, not of events', { tags: 'sql' }, async () => {
  const api = await startWithPersons()
  const listValues = async (query: string) =>
    (await api.get(`property_values?${query}`)).body.results

  expect(await listValues('key=plan&type=person')).toEqual([
    { value: 'pro', count: 2 },
    { value: 'free', count: 1 },
  ])
  expect(await listValues('key=plan&type=person&value=FR')).toEqual([{ value: 'free', count: 1 }])
  expect(await listValues('key=plan&type=event')).toEqual([{ value: 'of the event', count: 3 }])
})

it('refuses an unknown type, and reveals nothing of another project', async () => {
  const api = await startWithPersons()
  const other = await api.createProject()

  expect((await api.get('property_values?key=plan&type=group')).body.attr).toBe('type')
  for (const path of ['property_definitions?type=person', 'property_values?key=plan&type=person']) {
    expect((await api.get(`/api/projects/${other}/${path}`)).body.results, path).toEqual([])
  }
})
