import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { newEvent } from '../../../../test/support/data/events.ts'

const EVENTS = 'events'
const day = (n: number) => `2026-01-0${n}T00:00:00.000Z`
const text = (value: unknown) => encodeURIComponent(JSON.stringify(value))

interface Listed {
  readonly timestamp: string
}

async function list(api: TestApp, query: string): Promise<number[]> {
  const { status, body } = await api.get(`${EVENTS}?${query}`)
  expect([status, body.detail]).toEqual([200, undefined])
  return body.results.map(({ timestamp }: Listed) => Number(timestamp[9]))
}

/** Five events of three persons, of whom Ada has a plan. */
async function start() {
  const api = await useApp()
  const set = (value: object) => ({ $set: value })
  const events = [
    { event: 'order', distinct_id: 'ada', properties: { n: 1, ...set({ plan: 'pro' }) } },
    { event: 'order', distinct_id: 'bob', properties: { n: 20, color: 'Red' } },
    { event: 'visit', distinct_id: 'ada', properties: { n: 3, color: 'blue' } },
    { event: 'order', distinct_id: 'eve', properties: { color: 'red' } },
    { event: 'visit', distinct_id: 'bob', properties: {} },
  ]
  await api.services.events.append(
    api.projectId,
    events.map(({ properties, ...event }, index) =>
      newEvent({ ...event, timestamp: day(index + 1), properties: JSON.stringify(properties) }),
    ),
  )
  return api
}

const is = (key: string, value: unknown, more: object = {}) => ({ key, value, ...more })

const FOUND: readonly [name: string, filters: unknown, days: readonly number[]][] = [
  ['a value', [is('color', 'red')], [4]],
  ['one of several values', [is('color', ['red', 'Red'], { operator: 'exact' })], [4, 2]],
  ['a part of a value', [is('color', 'RE', { operator: 'icontains' })], [4, 2]],
  ['another value or none', [is('color', 'red', { operator: 'is_not' })], [5, 3, 2, 1]],
  ['a number', [is('n', 3, { operator: 'gte', type: 'event' })], [3, 2]],
  ['a set property', [is('n', null, { operator: 'is_set' })], [3, 2, 1]],
  ['several conditions', [is('n', 2, { operator: 'gt' }), is('color', 'blue')], [3]],
  ['a property of the person', [is('plan', 'pro', { type: 'person' })], [3, 1]],
  ['a column', [is('distinct_id', 'eve', { type: 'event_metadata' })], [4]],
  ['no condition', [], [5, 4, 3, 2, 1]],
  [
    'either of two groups',
    {
      type: 'OR',
      values: [
        { type: 'AND', values: [is('color', 'blue')] },
        { type: 'AND', values: [is('n', 1)] },
      ],
    },
    [3, 1],
  ],
]

describe('the events with properties', () => {
  it.each(FOUND)('are listed by %s', { tags: 'sql' }, async (_, filters, days) => {
    const api = await start()

    expect(await list(api, `properties=${text(filters)}`)).toEqual(days)
  })

  it('are listed together with the other parameters', { tags: 'sql' }, async () => {
    const api = await start()
    const ofAda = `properties=${text([is('plan', 'pro', { type: 'person' })])}`

    expect(await list(api, `${ofAda}&event=visit`)).toEqual([3])
    expect(await list(api, `${ofAda}&before=${day(2)}`)).toEqual([1])
    expect(await list(api, `${ofAda}&after=${day(1)}`)).toEqual([3])
    expect(await list(api, `${ofAda}&distinct_id=bob`)).toEqual([])
    expect(await list(api, `${ofAda}&person_id=ada`)).toEqual([3, 1])
    expect(await list(api, `${ofAda}&person_id=nobody`)).toEqual([])
    expect(await list(api, `${ofAda}&orderBy=${text(['-timestamp'])}`)).toEqual([3, 1])
  })

  it('are listed by cohort', { tags: 'sql' }, async () => {
    const api = await start()
    const groups = { properties: { type: 'OR', values: [is('plan', 'pro', { type: 'person' })] } }
    const { body: cohort } = await api.post('cohorts', { name: 'Pro', filters: groups })

    const inIt = [is('id', cohort.id, { type: 'cohort' })]
    const outside = [is('id', cohort.id, { type: 'cohort', operator: 'not_in' })]

    expect(await list(api, `properties=${text(inIt)}`)).toEqual([3, 1])
    expect(await list(api, `properties=${text(outside)}`)).toEqual([5, 4, 2])
  })

  it('are paged by links that keep the filters', async () => {
    const api = await start()
    const filters = [is('n', null, { operator: 'is_set' })]

    const first = (await api.get(`${EVENTS}?limit=2&properties=${text(filters)}`)).body
    const next = new URL(first.next)
    const second = (await api.get(first.next.slice(api.url.length))).body

    expect(JSON.parse(next.searchParams.get('properties') ?? '')).toEqual(filters)
    expect(first.results.map(({ timestamp }: Listed) => timestamp)).toEqual([day(3), day(2)])
    expect(second.results.map(({ timestamp }: Listed) => timestamp)).toEqual([day(1)])
    expect(second.next).toBeNull()
  })

  it('are listed without a project in the URL, as older apps read them', async () => {
    const api = await start()
    const member = await api.as({ memberOf: [api.projectId] })

    const { body } = await member.get(`/api/event/?properties=${text([is('color', 'blue')])}`)

    expect(body.results).toHaveLength(1)
  })

  it.each<[string, unknown, string]>([
    ['text that is no JSON', 'color=red', 'properties'],
    ['a number', 5, 'properties'],
    ['no key', [{ value: 1 }], 'properties__0__key'],
    ['no value', [{ key: 'n' }], 'properties__0__value'],
    ['an unknown operator', [is('n', 1, { operator: 'like' })], 'properties__0__operator'],
    ['an unknown type', [is('n', 1, { type: 'element' })], 'properties__0__type'],
    ['an unknown property of sessions', [is('n', 1, { type: 'session' })], 'properties__0__key'],
    ['an unknown option', [is('n', 1, { negation: true })], 'properties__0__negation'],
    ['an unknown column', [is('a', 1, { type: 'event_metadata' })], 'properties__0__key'],
    ['no type of groups', [is('a', 1, { type: 'group' })], 'properties__0__group_type_index'],
    [
      'an unknown type of groups',
      [is('a', 1, { type: 'group', group_type_index: 4 })],
      'properties__0__group_type_index',
    ],
    ['an unknown cohort', [is('id', 987654, { type: 'cohort' })], 'properties__0__value'],
    [
      'an invalid pattern',
      { type: 'AND', values: [is('n', '(', { operator: 'regex' })] },
      'properties__values__0__value',
    ],
  ])('are refused for %s', async (_, filters, attr) => {
    const api = await useApp()
    const sent = typeof filters === 'string' ? filters : text(filters)

    const { status, body } = await api.get(`${EVENTS}?properties=${sent}`)

    expect({ status, attr: body.attr }).toEqual({ status: 400, attr })
  })

  it.each(['action_id=1', 'select=["event"]', 'where=["1"]', 'orderBy=["timestamp"]'])(
    'are refused with %s',
    async (query) => {
      const api = await start()

      const { status, body } = await api.get(`${EVENTS}?${query}`)

      expect([status, body.attr]).toEqual([400, query.split('=')[0]])
    },
  )
})
