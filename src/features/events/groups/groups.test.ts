import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { addEvents, doing } from '../../../../test/support/data/persons.ts'

const GROUPS = 'groups'
const ACME = 'group_type_index=0&group_key=acme'

const identifying = (type: string, key: string, $group_set: object, timestamp: string) =>
  doing('ada', {
    event: '$groupidentify',
    timestamp,
    $group_type: type,
    $group_key: key,
    $group_set,
  })

async function start() {
  const api = await useApp()
  await addEvents(
    api,
    identifying('company', 'acme', { name: 'Acme', plan: 'pro' }, '2026-03-01T10:00:00.000Z'),
    identifying('company', 'globex', { plan: 'free' }, '2026-03-02T10:00:00.000Z'),
    identifying('company', '7', { plan: 'pro', seats: 3 }, '2026-03-03T10:00:00.000Z'),
    doing('ada', { $groups: { team: 'blue' } }),
  )
  return api
}

const keys = async (api: TestApp, query: string) =>
  (await api.get(`${GROUPS}?group_type_index=0${query}`)).body.results.map(
    (group: { group_key: string }) => group.group_key,
  )

const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]+/, '')

describe('groups', () => {
  it('are listed, newest first', { tags: 'sql' }, async () => {
    const api = await start()

    const { status, body } = await api.get(`${GROUPS}?group_type_index=0`)

    expect(status).toBe(200)
    expect(body).toMatchObject({ next: null, previous: null })
    expect(body.results).toEqual([
      {
        group_type_index: 0,
        group_key: '7',
        group_properties: { plan: 'pro', seats: 3 },
        created_at: '2026-03-03T10:00:00.000Z',
      },
      expect.objectContaining({ group_key: 'globex' }),
      expect.objectContaining({ group_key: 'acme' }),
    ])
    expect((await api.get(`${GROUPS}?group_type_index=1`)).body.results).toEqual([])
  })

  it('are filtered by their properties', { tags: 'sql' }, async () => {
    const api = await start()
    const find = (properties: object, more = '') =>
      keys(api, `${more}&properties=${encodeURIComponent(JSON.stringify(properties))}`)
    const plan = (value: string, more: object = {}) => ({
      ...{ key: 'plan', type: 'group', group_type_index: 0, operator: 'exact', value, ...more },
    })
    const seats = { key: 'seats', type: 'group', group_type_index: 0, operator: 'is_set' }

    expect(await find([plan('pro')])).toEqual(['7', 'acme'])
    expect(await find([plan('pro'), seats])).toEqual(['7'])
    expect(await find([plan('pro')], '&search=acm')).toEqual(['acme'])
    expect(await find({ type: 'OR', values: [plan('free'), seats] })).toEqual(['7', 'globex'])
    expect(await find([plan('o', { operator: 'icontains' })])).toEqual(['7', 'acme'])
    const page = await api.get(
      `${GROUPS}?group_type_index=0&limit=1&properties=${encodeURIComponent(JSON.stringify([plan('pro')]))}`,
    )
    expect((await api.get(pathOf(page.body.next))).body.results).toMatchObject([
      { group_key: 'acme' },
    ])
  })

  it.each([
    ['a list that is not JSON', '[', 'properties'],
    ['a property of events', [{ key: 'a', value: 'b' }], 'properties__0__type'],
    ['a cohort', [{ key: 'id', type: 'cohort', value: 1 }], 'properties__0__type'],
    [
      'another type of groups',
      { type: 'AND', values: [{ key: 'a', type: 'group', group_type_index: 1, value: 'b' }] },
      'properties__values__0__group_type_index',
    ],
    [
      'no value',
      [{ key: 'a', type: 'group', group_type_index: 0, operator: 'gt', value: 'x' }],
      'properties__0__value',
    ],
  ])('are not filtered by %s', async (_, properties, attr) => {
    const api = await start()
    const text = typeof properties === 'string' ? properties : JSON.stringify(properties)

    const { status, body } = await api.get(
      `${GROUPS}?group_type_index=0&properties=${encodeURIComponent(text)}`,
    )

    expect([status, body.attr]).toEqual([400, attr])
  })

  it('have an activity of their own', { tags: 'sql' }, async () => {
    const api = await start()
    const odd = 'ac"me ü😀'
    await api.post(GROUPS, { group_type_index: 0, group_key: odd })
    await api.post(`${GROUPS}/update_property?${ACME}`, { key: 'plan', value: 'team' })
    await api.post(`${GROUPS}/delete_property?${ACME}`, { $unset: 'plan' })
    const list = async (query: string) => (await api.get(`${GROUPS}/activity?${query}`)).body

    const { count, results } = await list(ACME)

    expect(count).toBe(2)
    expect(results[0]).toMatchObject({ activity: 'updated', detail: { name: 'acme' } })
    expect((await list(`${ACME}&limit=1&offset=1`)).results).toEqual([results[1]])
    const ofOdd = await list(`group_type_index=0&group_key=${encodeURIComponent(odd)}`)
    expect(ofOdd.results).toMatchObject([{ activity: 'created', detail: { name: odd } }])
    expect((await list('group_type_index=0&group_key=globex')).count).toBe(0)
    const missing = await api.get(`${GROUPS}/activity?group_type_index=0&group_key=nobody`)
    expect(missing.status).toBe(404)
  })

  it('are searched by key and name, and paginated', { tags: 'sql' }, async () => {
    const api = await start()

    expect(await keys(api, '&search=ACM')).toEqual(['acme'])
    expect(await keys(api, '&search=obe')).toEqual(['globex'])
    expect(await keys(api, '&search=%25')).toEqual([])
    const { body: first } = await api.get(`${GROUPS}?group_type_index=0&limit=2`)
    expect(first.results).toHaveLength(2)
    const { body: second } = await api.get(pathOf(first.next))
    expect(second.results).toMatchObject([{ group_key: 'acme' }])
    expect(second.next).toBeNull()
    expect((await api.get(pathOf(second.previous))).body.results).toEqual(first.results)
  })

  it('are found by their key', async () => {
    const api = await start()

    const { body } = await api.get(`${GROUPS}/find?${ACME}`)

    expect(body).toMatchObject({ group_key: 'acme', group_properties: { plan: 'pro' } })
    const absent = await api.get(`${GROUPS}/find?group_type_index=0&group_key=nobody`)
    expect([absent.status, absent.body.detail]).toEqual([404, 'Group not found.'])
  })

  it('are created and edited, and survive a rebuild', { tags: 'sql' }, async () => {
    const api = await start()

    const created = await api.post(GROUPS, {
      group_type_index: 1,
      group_key: 'blue',
      group_properties: { plan: 'x' },
    })
    const set = await api.post(`${GROUPS}/update_property?${ACME}`, { key: 'seats', value: 5 })
    const unset = await api.post(`${GROUPS}/delete_property?${ACME}`, { $unset: 'plan' })
    await api.services.events.rebuildPersons(() => {})

    expect([created.status, set.status, unset.status]).toEqual([201, 200, 200])
    expect(created.body).toMatchObject({ group_key: 'blue', group_properties: { plan: 'x' } })
    expect(unset.body.group_properties).toEqual({ name: 'Acme', seats: 5 })
    expect((await api.get(`${GROUPS}/find?${ACME}`)).body).toEqual(unset.body)
    const blue = await api.get(`${GROUPS}/find?group_type_index=1&group_key=blue`)
    expect(blue.body).toEqual(created.body)
    const { body: log } = await api.get('activity_log?scope=Group')
    expect(log.results).toMatchObject([
      { activity: 'updated', detail: { name: 'acme', changes: [{ field: 'plan' }] } },
      { activity: 'updated', detail: { changes: [{ field: 'seats', after: 5 }] } },
      { activity: 'created', detail: { name: 'blue' } },
    ])
  })

  it('have definitions and values of their properties', { tags: 'sql' }, async () => {
    const api = await start()

    expect((await api.get(`${GROUPS}/property_definitions`)).body).toEqual({
      0: [
        { name: 'plan', count: 3 },
        { name: 'name', count: 1 },
        { name: 'seats', count: 1 },
      ],
      1: [],
    })
    const values = (query: string) =>
      api.get(`${GROUPS}/property_values?group_type_index=0${query}`)
    expect((await values('&key=plan')).body).toEqual([
      { name: 'pro', count: 2 },
      { name: 'free', count: 1 },
    ])
    expect((await values('&key=plan&value=RE')).body).toEqual([{ name: 'free', count: 1 }])
  })

  it('are not found in another project', async () => {
    const api = await start()
    const other = await api.createProject()
    const at = (path: string) => api.path(`${GROUPS}${path}`, other)

    expect((await api.get(at(`/find?${ACME}`))).status).toBe(404)
    expect((await api.get(at('?group_type_index=0'))).status).toBe(400)
    expect((await api.get(api.path('groups_types', other))).body).toEqual([])
    const edit = await api.post(at(`/update_property?${ACME}`), { key: 'a', value: 1 })
    expect(edit.status).toBe(404)
  })

  it.each<[string, string, string, unknown, string]>([
    ['no type', 'GET', '', undefined, 'group_type_index'],
    ['an unknown type', 'GET', '?group_type_index=2', undefined, 'group_type_index'],
    ['a sixth type', 'GET', '?group_type_index=5', undefined, 'group_type_index'],
    ['an invalid cursor', 'GET', '?group_type_index=0&cursor=x', undefined, 'cursor'],
    ['no key to find', 'GET', '/find?group_type_index=0', undefined, 'group_key'],
    ['no property', 'GET', '/property_values?group_type_index=0', undefined, 'key'],
    ['no key', 'POST', '', { group_type_index: 0 }, 'group_key'],
    ['an existing key', 'POST', '', { group_type_index: 0, group_key: 'acme' }, 'group_key'],
    ['a new type', 'POST', '', { group_type_index: 2, group_key: 'a' }, 'group_type_index'],
    [
      'large properties',
      'POST',
      '',
      { group_type_index: 0, group_key: 'a', group_properties: { a: 'x'.repeat(40_000) } },
      'group_properties',
    ],
    ['a null', 'POST', `/update_property?${ACME}`, { key: 'a', value: null }, 'value'],
    [
      'a large value',
      'POST',
      `/update_property?${ACME}`,
      { key: 'a', value: 'x'.repeat(40_000) },
      'value',
    ],
    ['no key to delete', 'POST', `/delete_property?${ACME}`, {}, '$unset'],
  ])('are not changed by a request with %s', async (_, method, path, sent, attr) => {
    const api = await start()
    const { body: before } = await api.get(`${GROUPS}?group_type_index=0`)

    const { status, body } = await api.request(method, `${GROUPS}${path}`, sent)

    expect([status, body.attr]).toEqual([400, attr])
    expect((await api.get(`${GROUPS}?group_type_index=0`)).body).toEqual(before)
  })

  it('require group:write to edit', async () => {
    const api = await start()
    const reader = await api.as({ scopes: ['group:read'] })

    expect((await reader.get(`${GROUPS}?group_type_index=0`)).status).toBe(200)
    expect((await reader.get('groups_types')).status).toBe(200)
    const edit = { key: 'a', value: 1 }
    expect((await reader.post(`${GROUPS}/update_property?${ACME}`, edit)).status).toBe(403)
    expect((await reader.patch('groups_types/update_metadata', [])).status).toBe(403)
  })
})

describe('the types of groups', () => {
  it('are listed in order of their first event', { tags: 'sql' }, async () => {
    const api = await start()

    expect((await api.get('groups_types')).body).toEqual([
      {
        group_type: 'company',
        group_type_index: 0,
        name_singular: null,
        name_plural: null,
        created_at: '2026-03-01T10:00:00.000Z',
      },
      expect.objectContaining({ group_type: 'team', group_type_index: 1 }),
    ])
  })

  it('are renamed, and keep fields that are not sent', async () => {
    const api = await start()
    const name = (update: object[]) => api.patch('groups_types/update_metadata', update)

    await name([{ group_type_index: 0, name_singular: 'Company', name_plural: 'Companies' }])
    const { status, body } = await name([{ group_type_index: 0, name_plural: 'Firms' }])

    expect(status).toBe(200)
    expect(body).toMatchObject([
      { group_type: 'company', name_singular: 'Company', name_plural: 'Firms' },
      { group_type: 'team', name_singular: null, name_plural: null },
    ])
    expect((await api.get('groups_types')).body).toEqual(body)
  })

  it.each<[unknown, string | null]>([
    [[{ group_type_index: 3, name_singular: 'x' }], '0__group_type_index'],
    [[{ name_singular: 'x' }], '0__group_type_index'],
    [[{ group_type_index: 0, name_plural: 7 }], '0__name_plural'],
  ])('are not changed by %j', async (sent, attr) => {
    const api = await start()
    const { body: before } = await api.get('groups_types')

    const { status, body } = await api.patch('groups_types/update_metadata', sent as object)

    expect([status, body.attr]).toEqual([400, attr])
    expect((await api.get('groups_types')).body).toEqual(before)
  })
})
