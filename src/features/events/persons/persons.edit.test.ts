import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'
import {
  addEvents,
  doing,
  PERSONS,
  setting,
  signingIn,
} from '../../../../test/support/data/persons.ts'

async function start() {
  const api = await useApp()
  await addEvents(api, doing('phone'), setting('ada', { plan: 'free', city: 'Ulm' }))
  await addEvents(api, signingIn('ada', 'phone'), doing('bob'))
  return api
}

const readProperties = async (api: TestApp, id: string) =>
  (await api.get(`${PERSONS}/${id}`)).body.properties

const listIds = async (api: TestApp) =>
  (await api.get(PERSONS)).body.results
    .map(({ distinct_ids }: { distinct_ids: string[] }) => distinct_ids.join(' '))
    .toSorted()

describe('the properties of a person', () => {
  it('are set by PATCH, and others stay', { tags: 'sql' }, async () => {
    const api = await start()

    const { status, body } = await api.patch(`${PERSONS}/phone`, {
      properties: { plan: 'pro', seats: [1, null] },
    })

    expect(status).toBe(200)
    expect(body.properties).toEqual({ plan: 'pro', seats: [1, null], city: 'Ulm' })
    expect(await readProperties(api, 'ada')).toEqual(body.properties)
    expect(await readProperties(api, 'bob')).toEqual({})
  })

  it('are set and deleted individually', { tags: 'sql' }, async () => {
    const api = await start()

    const set = await api.post(`${PERSONS}/ada/update_property`, { key: 'seats', value: 3 })
    const unset = await api.post(`${PERSONS}/ada/delete_property`, { $unset: 'city' })

    expect([set.status, unset.status]).toEqual([200, 200])
    expect(unset.body.properties).toEqual({ plan: 'free', seats: 3 })
    expect(await readProperties(api, 'ada')).toEqual({ plan: 'free', seats: 3 })
  })

  it('log their changes', async () => {
    const api = await start()
    await api.patch(`${PERSONS}/ada`, { properties: { plan: 'pro' } })
    await api.patch(`${PERSONS}/ada`, { properties: { plan: 'pro' } })
    await api.post(`${PERSONS}/ada/delete_property`, { $unset: 'city' })

    const { body } = await api.get(`${PERSONS}/ada/activity`)

    expect(body.results).toMatchObject([
      { activity: 'updated', scope: 'Person', detail: { changes: [{ field: 'city' }] } },
      { detail: { name: 'ada', changes: [{ field: 'plan', before: 'free', after: 'pro' }] } },
    ])
    expect(body.count).toBe(2)
    expect((await api.get(`${PERSONS}/bob/activity`)).body.count).toBe(0)
    expect((await api.get('activity_log?scope=Person')).body.count).toBe(2)
    const other = await api.as({ scopes: ['activity_log:read', 'query:read'] })
    expect((await other.get('activity_log?scope=Person')).body.count).toBe(0)
  })

  it.each([
    ['no properties', 'PATCH', '', {}, 'properties'],
    ['a list of properties', 'PATCH', '', { properties: [] }, 'properties'],
    ['a large value', 'PATCH', '', { properties: { a: 'x'.repeat(40_000) } }, 'properties'],
    ['no value', 'POST', '/update_property', { key: 'a' }, 'value'],
    ['a null', 'POST', '/update_property', { key: 'a', value: null }, 'value'],
    ['an empty key', 'POST', '/update_property', { key: '', value: 1 }, 'key'],
    ['no key', 'POST', '/delete_property', {}, '$unset'],
    ['a list of keys', 'POST', '/delete_property', { $unset: ['city'] }, '$unset'],
    ["another person's ID", 'POST', '/split', { main_distinct_id: 'bob' }, 'main_distinct_id'],
    ['a number as ID', 'POST', '/split', { main_distinct_id: 7 }, 'main_distinct_id'],
  ])('are not changed by a request with %s', async (_, method, path, sent, attr) => {
    const api = await start()
    const { body: before } = await api.get(PERSONS)

    const { status, body } = await api.request(method, `${PERSONS}/ada${path}`, sent)

    expect([status, body.attr]).toEqual([400, attr])
    expect((await api.get(PERSONS)).body).toEqual(before)
  })
})

describe('a person', () => {
  it('is split, and one ID keeps the properties', { tags: 'sql' }, async () => {
    const api = await start()

    const { status, body } = await api.post(`${PERSONS}/ada/split`, { main_distinct_id: 'phone' })

    expect([status, body]).toEqual([201, { success: true }])
    expect(await listIds(api)).toEqual(['ada', 'bob', 'phone'])
    expect(await readProperties(api, 'phone')).toEqual({ plan: 'free', city: 'Ulm' })
    expect(await readProperties(api, 'ada')).toEqual({})
    const { body: ada } = await api.get(`${PERSONS}/ada`)
    expect((await api.get(`${PERSONS}/${ada.id}`)).body).toEqual(ada)
    expect((await api.get(`events?person_id=${ada.id}`)).body.results).toHaveLength(2)
  })

  it('is deleted without its events', { tags: 'sql' }, async () => {
    const api = await start()

    const { status } = await api.delete(`${PERSONS}/ada`)

    expect(status).toBe(204)
    expect(await listIds(api)).toEqual(['bob'])
    expect((await api.get('events')).body.results).toHaveLength(4)
    expect((await api.delete(`${PERSONS}/ada`)).status).toBe(404)
    expect((await api.get('activity_log?scope=Person')).body.results).toMatchObject([
      { activity: 'deleted', detail: { name: 'ada' } },
    ])
  })

  it('is deleted with the events of all its IDs', { tags: 'sql' }, async () => {
    const api = await start()

    expect((await api.delete(`${PERSONS}/phone?delete_events=true`)).status).toBe(204)

    expect(await listIds(api)).toEqual(['bob'])
    expect((await api.get('events')).body.results).toMatchObject([{ distinct_id: 'bob' }])
    expect((await api.get('activity_log?scope=Person')).body.results).toMatchObject([
      { detail: { changes: [{ field: 'events', before: 3, after: null }] } },
    ])
  })

  it('is edited by members and deleted by admins', async () => {
    const api = await start()
    const member = await api.as({})
    const reader = await api.as({ level: 8, scopes: ['person:read'] })

    expect((await member.patch(`${PERSONS}/ada`, { properties: {} })).status).toBe(200)
    expect((await member.delete(`${PERSONS}/ada`)).status).toBe(403)
    expect((await reader.get(PERSONS)).status).toBe(200)
    expect((await reader.patch(`${PERSONS}/ada`, { properties: {} })).status).toBe(403)
    expect((await reader.delete(`${PERSONS}/ada`)).status).toBe(403)
  })

  it('is not found by unusual IDs', async () => {
    const api = await start()
    const ids = ['a%00b', '%F0%9F%98%80', 'x'.repeat(5000), '-5', '99999999999999999999', "';--"]

    for (const id of ids) {
      expect((await api.get(`${PERSONS}/${id}`)).status, id).toBe(404)
      expect((await api.delete(`${PERSONS}/${id}`)).status, id).toBe(404)
    }
    expect(await listIds(api)).toHaveLength(2)
  })
})
