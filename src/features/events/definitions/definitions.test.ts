import { describe, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app/app.ts'
import { newEvent } from '../../../../test/support/data/events.ts'

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const HOSTILE = `'"; drop table events; -- %_\\ <b>\u{1f600}`

const named = (event: string, count: number, days = 1, properties: object = {}) =>
  Array.from({ length: count }, () =>
    newEvent({ event, timestamp: daysAgo(days), properties: JSON.stringify(properties) }),
  )

type Named = { readonly name: string }
const namesOf = (body: { results: Named[] }) => body.results.map(({ name }) => name)

async function start(...events: ReturnType<typeof named>[]) {
  const api = await useApp()
  await api.services.events.append(api.projectId, events.flat())
  return api
}

describe('event definitions', () => {
  it('list event names by frequency in the last 30 days', { tags: 'sql' }, async () => {
    const newest = { ...newEvent({ event: 'often' }), timestamp: daysAgo(0) }
    const api = await start(named('old', 9, 40), named('often', 3), named('rare', 1), [newest])

    const { status, body } = await api.get('event_definitions')

    expect(status).toBe(200)
    expect(body).toMatchObject({ count: 3, next: null, previous: null })
    expect(body.results).toMatchObject([
      { name: 'often', volume_30_day: 4, last_seen_at: newest.timestamp },
      { name: 'rare', volume_30_day: 1, last_seen_at: expect.any(String) },
      { name: 'old', volume_30_day: 0, last_seen_at: expect.any(String) },
    ])
  })

  it('can be searched and paged', { tags: 'sql' }, async () => {
    const api = await start(
      named('Sign up', 2),
      named('sign in', 1),
      named(HOSTILE, 1),
      named('$pageview', 1),
    )
    const found = async (query: string) =>
      namesOf((await api.get(`event_definitions?${query}`)).body)

    expect(await found('search=SIGN')).toEqual(['Sign up', 'sign in'])
    expect(await found('search=page%20V')).toEqual(['$pageview'])
    expect(await found('search=sign&limit=1&offset=1')).toEqual(['sign in'])
    expect(await found(`search=${encodeURIComponent(HOSTILE)}`)).toEqual([HOSTILE])
    expect(await found('search=%25')).toEqual([HOSTILE])
    expect(await found('offset=50')).toEqual([])
  })

  it('show the first event at once and are cached after that', async () => {
    const api = await useApp()
    const list = async () => namesOf((await api.get('event_definitions')).body)
    expect(await list()).toEqual([])

    await api.services.events.append(api.projectId, named('first', 1))
    expect(await list()).toEqual(['first'])
    await api.services.events.append(api.projectId, named('second', 1))

    expect(await list()).toEqual(['first'])
  })
})

describe('property definitions', () => {
  it('take the filters of PostHog', { tags: 'sql' }, async () => {
    const api = await start(
      named('order', 2, 1, { amount: 1, currency: 'EUR', $browser: 'x', '$feature/new': 'a' }),
      named('visit', 1, 1, { page: '/', amount: 2 }),
    )
    const found = async (query: string) =>
      namesOf((await api.get(`property_definitions?${query}`)).body).toSorted()
    const ALL = ['$browser', '$feature/new', 'amount', 'currency', 'page']

    expect(await found('event_names=["visit"]')).toEqual(ALL)
    expect(await found('event_names=["visit"]&filter_by_event_names=true')).toEqual([
      'amount',
      'page',
    ])
    expect(await found('event_names=["visit"]&filter_by_event_names=true&event=order')).toEqual([])
    expect(await found('properties=page,currency,other')).toEqual(['currency', 'page'])
    expect(await found('excluded_properties=["page","amount"]&exclude_hidden=true')).toEqual(
      ALL.slice(0, 2).concat('currency'),
    )
    expect(await found('exclude_core_properties=true')).toEqual(['amount', 'currency', 'page'])
    expect(await found('is_feature_flag=true')).toEqual(['$feature/new'])
    expect(await found('is_feature_flag=false')).not.toContain('$feature/new')
    expect(await found('is_numerical=true')).toEqual(['amount'])
    expect(await found('verified=true')).toEqual([])
    expect(await found('verified=false')).toEqual(ALL)
  })

  it('take at most 20 names of events', async () => {
    const api = await useApp()
    const names = JSON.stringify(Array.from({ length: 21 }, (_, n) => `event ${n}`))
    const query = `filter_by_event_names=true&event_names=${encodeURIComponent(names)}`

    const { status, body } = await api.get(`property_definitions?${query}`)

    expect([status, body.attr]).toEqual([400, 'event_names'])
  })

  it('list property names with the type of all their values', { tags: 'sql' }, async () => {
    const values = [
      { text: 'a', number: 1, flag: true, at: '2026-01-02T03:04:05Z', mixed: 1, none: null },
      { text: 'b', number: 2.5, flag: false, at: '2026-01-02 03:04', mixed: 'x', late: null },
      { text: '1', late: 3, list: [1] },
    ]
    const api = await start(...values.map((properties) => named('a', 1, 1, properties)))

    const { body } = await api.get('property_definitions')

    const types = Object.fromEntries(
      body.results.map((each: Named & { property_type: string }) => [
        each.name,
        each.property_type,
      ]),
    )
    expect(types).toEqual({
      ...{ text: 'String', number: 'Numeric', flag: 'Boolean', at: 'DateTime' },
      ...{ mixed: 'String', none: 'String', late: 'Numeric', list: 'String' },
    })
    expect(namesOf(body)[0]).toBe('text')
  })

  it('can be limited to an event or searched by name', { tags: 'sql' }, async () => {
    const api = await start(
      named('a', 30, 1, { one: 1, both: 1 }),
      named('b', 1, 400, { two: 1, both: 1, [HOSTILE]: 1 }),
    )
    const found = async (query: string) =>
      namesOf((await api.get(`property_definitions?${query}`)).body).toSorted()

    expect(await found('')).toEqual([HOSTILE, 'both', 'one', 'two'])
    expect(await found('event=a')).toEqual(['both', 'one'])
    expect(await found('event=b&search=BOT')).toEqual(['both'])
    expect(await found('event=nothing')).toEqual([])
  })
})

describe('property values', () => {
  const ask = (query: Record<string, string>) => `property_values?${new URLSearchParams(query)}`

  it('list the most frequent values as text', { tags: 'sql' }, async () => {
    const api = await start(
      named('a', 3, 1, { plan: 'pro' }),
      named('a', 1, 1, { plan: 'Free' }),
      named('b', 2, 1, { plan: 7 }),
      named('b', 1, 1, { plan: null }),
      named('b', 1, 1, { plan: 'x'.repeat(2000) }),
    )

    const { status, body } = await api.get(ask({ key: 'plan' }))

    expect(status).toBe(200)
    expect(body.results).toEqual([
      { value: 'pro', count: 3 },
      { value: '7', count: 2 },
      { value: 'Free', count: 1 },
    ])
    const ofB = (await api.get(ask({ key: 'plan', event: 'b' }))).body.results
    expect(ofB).toEqual([{ value: '7', count: 2 }])
    const searched = (await api.get(ask({ key: 'plan', value: 'fr' }))).body.results
    expect(searched).toEqual([{ value: 'Free', count: 1 }])
  })

  it('are limited to 50', async () => {
    const api = await start(
      ...Array.from({ length: 60 }, (_, n) => named('a', 1, 1, { n: `v${n}` })),
    )

    expect((await api.get(ask({ key: 'n' }))).body.results).toHaveLength(50)
  })

  it('match any characters in keys and values', { tags: 'sql' }, async () => {
    const api = await start(named(HOSTILE, 1, 1, { [HOSTILE]: HOSTILE }))

    for (const value of [HOSTILE, '%_\\', '--', '\u{1f600}']) {
      const { body } = await api.get(ask({ key: HOSTILE, event: HOSTILE, value }))
      expect(body.results, value).toEqual([{ value: HOSTILE, count: 1 }])
    }
    expect((await api.get(ask({ key: HOSTILE, value: '%%' }))).body.results).toEqual([])
    expect((await api.get(ask({ key: 'a\0b' }))).status).toBe(400)
  })

  it('require a key', async () => {
    const api = await useApp()

    const { status, body } = await api.get('property_values')

    expect([status, body.attr]).toEqual([400, 'key'])
  })
})

it('does not reveal definitions of another project', async () => {
  const api = await start(named('secret', 1, 1, { hidden: 'x' }))
  const other = await api.createProject()

  for (const path of ['event_definitions', 'property_definitions', 'property_values?key=hidden']) {
    await api.get(path)
    expect((await api.get(`/api/projects/${other}/${path}`)).body.results, path).toEqual([])
  }
})
