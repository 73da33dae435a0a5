import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'
import {
  addEvents,
  doing,
  PERSONS,
  setting,
  signingIn,
} from '../../../../test/support/data/persons.ts'

const day = (n: number) => `2026-01-0${n}T00:00:00.000Z`

const PEOPLE = [
  setting('ada', { email: 'Ada@example.com', name: 'Ada', plan: 'pro', seats: 12 }, day(1)),
  setting('bob', { email: 'bob@example.com', plan: 'free', seats: 3 }, day(2)),
  doing('1f0c5e2a-0000-4000-8000-000000000001', { timestamp: day(3) }),
  setting('chess%_club', { name: 'Chess Club', note: '100%' }, day(4)),
]

async function start() {
  const api = await useApp()
  await addEvents(api, ...PEOPLE)
  return api
}

const names = async (api: TestApp, query = '') =>
  (await api.get(`${PERSONS}${query}`)).body.results.map(({ name }: { name: string }) => name)

const filters = (...properties: object[]) =>
  `?properties=${encodeURIComponent(JSON.stringify(properties))}`

describe('persons', () => {
  it('are listed newest first, with their IDs and properties', { tags: 'sql' }, async () => {
    const api = await start()
    await addEvents(api, signingIn('ada', 'phone-of-ada', { plan: 'team' }))

    const { status, body } = await api.get(PERSONS)

    expect(status).toBe(200)
    expect(body).toMatchObject({ count: 4, next: null, previous: null })
    expect(body.results.map(({ name }: { name: string }) => name)).toEqual([
      'Chess Club',
      '1f0c5e2a-0000-4000-8000-000000000001',
      'bob@example.com',
      'Ada@example.com',
    ])
    expect(body.results.at(-1)).toEqual({
      id: expect.any(Number),
      name: 'Ada@example.com',
      distinct_ids: ['ada', 'phone-of-ada'],
      properties: { email: 'Ada@example.com', name: 'Ada', plan: 'team', seats: 12 },
      created_at: day(1),
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      is_identified: true,
    })
  })

  it('are paged by links, and counted past the end', { tags: 'sql' }, async () => {
    const api = await start()

    const first = (await api.get(`${PERSONS}?limit=3`)).body
    const second = (await api.get(first.next.slice(api.url.length))).body

    expect([first.count, first.results.length, first.previous]).toEqual([4, 3, null])
    expect([second.count, second.results.length, second.next]).toEqual([4, 1, null])
    expect(second.previous).toContain('limit=3')
    expect((await api.get(`${PERSONS}?offset=50`)).body).toMatchObject({ count: 4, results: [] })
  })

  it('are found by parts of name, email address or ID, in any case', { tags: 'sql' }, async () => {
    const api = await start()
    await addEvents(api, signingIn('ada', 'Phone-7'))

    expect(await names(api, '?search=ADA@')).toEqual(['Ada@example.com'])
    expect(await names(api, '?search=example')).toEqual(['bob@example.com', 'Ada@example.com'])
    expect(await names(api, '?search=phone-7')).toEqual(['Ada@example.com'])
    expect(await names(api, '?search=chess+cl')).toEqual(['Chess Club'])
    expect(await names(api, '?search=%25_')).toEqual(['Chess Club'])
    expect(await names(api, '?search=pro')).toEqual([])
    expect(await names(api, '?search=')).toHaveLength(4)
  })

  it('are found by email address, by any ID and by properties', { tags: 'sql' }, async () => {
    const api = await start()
    await addEvents(api, signingIn('ada', 'phone'))
    const seats = { key: 'seats', operator: 'gt', value: 5, type: 'person' }
    const isFree = { key: 'plan', value: ['free'], type: 'person' }

    expect(await names(api, '?email=bob@example.com')).toEqual(['bob@example.com'])
    expect(await names(api, '?email=bob')).toEqual([])
    expect(await names(api, '?distinct_id=phone')).toEqual(['Ada@example.com'])
    expect(await names(api, filters(seats))).toEqual(['Ada@example.com'])
    expect(await names(api, filters(seats, isFree))).toEqual([])
    expect(await names(api, filters({ key: 'plan', operator: 'is_not_set' }))).toHaveLength(2)
    const either = { type: 'OR', values: [seats, isFree] }
    const group = `?properties=${encodeURIComponent(JSON.stringify(either))}`
    expect(await names(api, group)).toEqual(['bob@example.com', 'Ada@example.com'])
    expect(await names(api, `${filters(isFree)}&search=ada`)).toEqual([])
  })

  it('are retrieved by id, UUID or distinct ID', { tags: 'sql' }, async () => {
    const api = await start()
    const generated = '1f0c5e2a-0000-4000-8000-000000000001'
    await addEvents(api, doing('7/8 ü'))

    const { body: ada } = await api.get(`${PERSONS}/ada`)

    expect(ada).toMatchObject({ name: 'Ada@example.com', distinct_ids: ['ada'] })
    expect((await api.get(`${PERSONS}/${ada.id}`)).body).toEqual(ada)
    expect((await api.get(`${PERSONS}/${ada.uuid}`)).body).toEqual(ada)
    expect((await api.get(`${PERSONS}/${ada.uuid.toUpperCase()}`)).body).toEqual(ada)
    expect((await api.get(`${PERSONS}/${generated}`)).body.distinct_ids).toEqual([generated])
    expect((await api.get(`${PERSONS}/${encodeURIComponent('7/8 ü')}`)).body.name).toBe('7/8 ü')
  })

  it('prefer IDs that were not generated as their name', async () => {
    const api = await start()
    const generated = '00000000-0000-4000-8000-000000000001'
    await addEvents(api, doing(generated), signingIn('zoe', generated))

    const { body } = await api.get(`${PERSONS}/${generated}`)

    expect(body).toMatchObject({ name: 'zoe', distinct_ids: ['zoe', generated] })
  })

  it('are read by many distinct IDs at once', { tags: 'sql' }, async () => {
    const api = await start()
    await addEvents(api, signingIn('ada', 'phone'), doing('__proto__'))
    await addEvents(api, doing('nobody', { $process_person_profile: false }))
    const ids = ['ada', 'phone', '__proto__', 'ada', 'nobody', 'unknown', "o'; --"]

    const { status, text } = await api.post(`${PERSONS}/batch_by_distinct_ids`, {
      distinct_ids: ids,
    })

    const results = new Map<string, { uuid: string; name: string }>(
      Object.entries(JSON.parse(text).results),
    )
    expect(status).toBe(200)
    expect([...results.keys()].toSorted()).toEqual(['__proto__', 'ada', 'phone'])
    expect(results.get('phone')).toEqual(results.get('ada'))
    expect(results.get('ada')?.name).toBe('Ada@example.com')
  })

  it.each([
    ['no IDs', []],
    ['too many IDs', Array.from({ length: 201 }, (_, index) => `${index}`)],
    ['an ID that is no text', [7]],
    ['one ID without a list', 'ada'],
  ])('are not read by %s', async (_, distinct_ids) => {
    const api = await useApp()

    const { status, body } = await api.post(`${PERSONS}/batch_by_distinct_ids`, { distinct_ids })

    expect([status, body.attr]).toEqual([400, expect.stringMatching(/^distinct_ids/)])
  })

  it('are not found in another project', async () => {
    const api = await start()
    const other = await api.createProject()
    const { body: ada } = await api.get(`${PERSONS}/ada`)
    const at = (path: string) => api.path(`${PERSONS}/${path}`, other)

    expect((await api.get(api.path(PERSONS, other))).body.results).toEqual([])
    const batch = { distinct_ids: ['ada'] }
    expect((await api.post(at('batch_by_distinct_ids'), batch)).body).toEqual({ results: {} })
    for (const id of ['ada', ada.id, ada.uuid]) {
      expect((await api.get(at(id))).body.detail).toBe('Person not found.')
      expect((await api.patch(at(id), { properties: { plan: 'x' } })).status).toBe(404)
      expect((await api.post(at(`${id}/split`), {})).status).toBe(404)
      expect((await api.delete(at(`${id}?delete_events=true`))).status).toBe(404)
    }
    expect((await api.get(`${PERSONS}/ada`)).body).toEqual(ada)
  })

  it('that send personless events have no profile', async () => {
    const api = await useApp()
    await addEvents(api, doing('nobody', { $process_person_profile: false }))

    expect((await api.get(PERSONS)).body.count).toBe(0)
    expect((await api.get(`${PERSONS}/nobody`)).status).toBe(404)
  })

  it.each([
    ['{', 'properties'],
    ['7', 'properties'],
    ['[{"value":1}]', 'properties__0__key'],
    ['[{"key":"a","operator":"like"}]', 'properties__0__operator'],
    ['[{"key":"a","operator":"gt","value":"x"}]', 'properties__0__value'],
    ['[{"key":"a","operator":"regex","value":"("}]', 'properties__0__value'],
  ])('reject the filter %s', async (text, attr) => {
    const api = await useApp()

    const { status, body } = await api.get(`${PERSONS}?properties=${encodeURIComponent(text)}`)

    expect([status, body.attr]).toEqual([400, attr])
  })
})

describe("a person's events", () => {
  it('include the events of all its IDs', async () => {
    const api = await useApp()
    await addEvents(api, doing('phone', { event: 'a' }), doing('bob', { event: 'b' }))
    await addEvents(api, signingIn('ada', 'phone'), doing('ada', { event: 'c' }))
    const { body: ada } = await api.get(`${PERSONS}/ada`)
    const of = async (query: string) =>
      (await api.get(`events?${query}`)).body.results
        .map(({ event }: { event: string }) => event)
        .toSorted()

    expect(await of(`person_id=${ada.uuid}`)).toEqual(['$identify', 'a', 'c'])
    expect(await of(`person_id=${ada.id}&event=c`)).toEqual(['c'])
    expect(await of('person_id=bob')).toEqual(['b'])
    expect(await of('person_id=nobody')).toEqual([])
  })
})
