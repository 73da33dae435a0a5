import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createFakeApp, type FakeResponse } from '../../test/apps/fake-app.ts'
import type { Connector, Stream } from './connector.ts'
import { importNew } from './import.ts'

const API = 'https://api.example.com'
const to = { event: 'seen', person: 'person' }
const json = (body: unknown, status = 200): FakeResponse => ({ status, body: JSON.stringify(body) })

const stream = (more: Partial<Stream> = {}): Stream => ({
  name: 'orders',
  path: '/orders',
  primary_key: 'id',
  to,
  ...more,
})
const connectorOf = (...streams: Stream[]): Connector => ({ base_url: API, streams })

type Respond = (url: URL) => FakeResponse
const start = (respond: Respond, more: object = {}) => createFakeApp({ respond, ...more })

type Fake = ReturnType<typeof start>
const idsOf = (fake: Fake) => fake.events().map(({ properties }) => properties.id)
const pathsOf = (fake: Fake) => fake.requested.map((url) => url.slice(API.length))

/** Records with these IDs, of one person. */
const records = (ids: readonly unknown[], more: object = {}) =>
  json(ids.map((id) => ({ id, person: 'p', ...more })))

describe('a stream below another', () => {
  const shops = stream({ name: 'shops', path: '/shops', to: undefined })
  const orders = stream({ path: '/shops/{{shops.id}}/orders', parent: { stream: 'shops' } })
  const items = stream({
    name: 'items',
    path: '/shops/{{shops.id}}/orders/{{orders.id}}/items',
    parent: { stream: 'orders' },
    transform: [{ add: { shop: '{{shops.name}}', none: '{{shops.none}}' } }],
  })

  it('is read for each record above, also for nested ones', async () => {
    const fake = start(({ pathname }) => {
      if (pathname === '/shops')
        return json([
          { id: 'a', name: 'A' },
          { id: 'b', name: 'B' },
        ])
      return records([1, 2])
    })

    await importNew(fake.app, connectorOf(shops, orders, items))

    expect(pathsOf(fake)).toEqual([
      ...['/shops', '/shops/a/orders', '/shops/b/orders'],
      ...['/shops', '/shops/a/orders', '/shops/a/orders/1/items', '/shops/a/orders/2/items'],
      ...['/shops/b/orders', '/shops/b/orders/1/items', '/shops/b/orders/2/items'],
    ])
    // the same ID below another record is another event
    expect(fake.events()).toHaveLength(4 + 8)
    expect(fake.events()[4]?.properties).toMatchObject({ shop: 'A', none: null })
  })

  it('skips a record above that lacks a value, or would lead elsewhere', async () => {
    const fake = start(({ pathname }) =>
      pathname === '/shops' ? json([{}, { id: '..' }, { id: 'a/../b?c' }]) : records([1]),
    )

    await importNew(fake.app, connectorOf(shops, orders))

    expect(pathsOf(fake)).toEqual(['/shops', '/shops/a%2F..%2Fb%3Fc/orders'])
    expect(fake.skipped.map(({ reason }) => reason)).toEqual([
      'Stream "orders": no "id" in the record of "shops".',
      'Stream "orders": ".." cannot be part of a path.',
    ])
  })

  it('has a cursor for each record above, so that a later one is read from its start', async () => {
    const incremental = { field: 'at', parameter: 'since', lookback: 0 }
    let ids = ['a']
    const fake = start(({ pathname }) =>
      pathname === '/shops'
        ? json(ids.map((id) => ({ id })))
        : records([1], { at: '2025-01-01T00:00:00.000Z' }),
    )
    const connector = connectorOf(shops, { ...orders, incremental })
    await importNew(fake.app, connector)
    ids = ['b', 'a']
    fake.requested.length = 0

    await importNew(fake.app, connector)

    expect(pathsOf(fake)).toEqual([
      '/shops',
      '/shops/b/orders',
      '/shops/a/orders?since=2025-01-01T00%3A00%3A00.000Z',
    ])
  })
})

describe('the errors of a stream', () => {
  it.each([
    [{ path: 'error.code', action: 'ignore' }, json({ error: { code: 7 } })],
    [{ path: 'error.code', value: 7, action: 'ignore' }, json({ error: { code: 7 } })],
    [
      { text: 'no such shop', action: 'ignore' },
      { status: 403, body: 'There is no such shop.' },
    ],
    [
      { status: 403, text: 'no such', action: 'ignore' },
      { status: 403, body: 'no such shop' },
    ],
  ] as const)('ends the stream at what %j describes', async (rule, response) => {
    const fake = start(() => response)

    await importNew(fake.app, connectorOf(stream({ errors: [rule] })))

    expect(fake.logs[0]).toMatch(/^Stream "orders": .* Response: .* Ignored\.$/)
  })

  it('tries again what may go away', async () => {
    const busy = { status: 403, headers: { 'retry-after': '3' }, body: 'rate limit exceeded' }
    let count = 0
    const fake = start(() => (count++ === 0 ? busy : records([1])))
    const errors = [{ status: 403, text: 'rate limit', action: 'retry' }] as const

    await importNew(fake.app, connectorOf(stream({ errors })))

    expect([idsOf(fake), fake.slept]).toEqual([[1], [3000]])
  })

  it('fails a success that has an error in its body, with what to do', async () => {
    const fake = start(() => json({ ok: false, error: 'not_authed' }))
    const errors = [{ path: 'error', action: 'fail', message: 'Check the token.' }] as const

    await expect(importNew(fake.app, connectorOf(stream({ errors })))).rejects.toThrow(
      `Stream "orders": ${API}/orders returned 200. Response: {"ok":false,"error":"not_authed"} Check the token.`,
    )
  })

  it('does not apply a rule of which one condition is not met', async () => {
    const fake = start(() => ({ status: 403, body: 'forbidden' }))
    const errors = [{ status: 403, text: 'rate limit', action: 'ignore' }] as const

    await expect(importNew(fake.app, connectorOf(stream({ errors })))).rejects.toThrow(
      'returned 403. Response: forbidden',
    )
  })

  it('shows the response of a server that fails again and again', async () => {
    const fake = start(() => ({ status: 500, body: `broken ${'x'.repeat(5000)}` }))

    const importing = importNew(fake.app, connectorOf(stream()))

    await expect(importing).rejects.toThrow(
      /^Stream "orders": https:\/\/api\.example\.com\/orders returned 500 \(broken x{193}\), 6 times in a row/,
    )
  })
})

describe('a stream', () => {
  it('keeps or casts a field that changes its type', async () => {
    const fake = start(() =>
      json([
        { id: 1, person: 'p', total: 5 },
        { id: 2, person: 'p', total: '6.5' },
        { id: 3, person: 'p', total: { amount: 7 } },
        { id: 4, person: 'p', total: [8] },
        { id: 5, person: 'p', total: null },
      ]),
    )
    const totals = () => fake.events().map(({ properties }) => properties.total)

    await importNew(fake.app, connectorOf(stream({ name: 'inferred' })))
    await importNew(fake.app, connectorOf(stream({ schema: { total: 'number' } })))

    expect(totals()).toEqual([
      ...[5, '6.5', { amount: 7 }, [8], null],
      ...[5, 6.5, null, null, null],
    ])
    const warnings = fake.logs.filter((line) => line.includes('"total"'))
    expect(warnings).toEqual([
      'Stream "orders": a value of "total" is no number, and is imported as null.',
    ])
  })

  const incremental = { field: 'at', parameter: 'since' }

  it('reads ties at its cursor that a server leaves out of later times', async () => {
    const at = '2025-01-02T00:00:00.000Z'
    const all = [{ id: 1, person: 'p', at }]
    const fake = start(({ searchParams }) =>
      json(all.filter((one) => one.at > (searchParams.get('since') ?? ''))),
    )
    const connector = connectorOf(stream({ incremental }))
    await importNew(fake.app, connector)
    all.push({ id: 2, person: 'p', at })

    await importNew(fake.app, connector)

    expect(idsOf(fake)).toEqual([1, 2])
  })

  it('is not led into the future by a clock that is ahead', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2025-01-10T00:00:00.000Z') })
    onTestFinished(() => void vi.useRealTimers())
    const fake = start(() => records([1], { at: '2199-01-01T00:00:00.000Z' }))
    const connector = connectorOf(stream({ incremental }))
    await importNew(fake.app, connector)

    await importNew(fake.app, connector)

    expect(pathsOf(fake)[1]).toBe('/orders?since=2025-01-09T23%3A59%3A59.000Z')
  })

  it('starts over from a state that is no time', async () => {
    const fake = start(() => records([1]))
    await fake.app.meta.storage.set('cursor of orders', { '': 'soon', a: [1] })

    await importNew(fake.app, connectorOf(stream({ incremental })))

    expect(pathsOf(fake)).toEqual(['/orders'])
  })

  it('finds records that moved between pages in its next run', async () => {
    let all = [1, 2, 3, 4]
    const fake = start(({ searchParams }) => {
      const page = Number(searchParams.get('page'))
      const shown = records(all.slice(page * 2 - 2, page * 2))
      if (page === 1) all = all.filter((id) => id !== 1)
      return shown
    })
    const connector = connectorOf(stream({ paginate: { page: { parameter: 'page' } } }))

    await importNew(fake.app, connector)
    expect(idsOf(fake)).toEqual([1, 2, 4])
    await importNew(fake.app, connector)

    expect(idsOf(fake)).toEqual([1, 2, 4, 3])
  })

  it('ends at a cursor whose flag says that there is no more', async () => {
    const cursor = { path: 'data.-1.id', parameter: 'after', more: 'has_more' }
    const fake = start(({ searchParams }) => {
      const id = Number(searchParams.get('after')) + 1
      return json({ data: [{ id, person: 'p' }], has_more: id < 3 })
    })

    await importNew(fake.app, connectorOf(stream({ records: 'data', paginate: { cursor } })))

    expect(pathsOf(fake)).toEqual(['/orders', '/orders?after=1', '/orders?after=2'])
  })

  it('reads 10,000 pages, and holds one of them', async () => {
    const PAGES = 10_000
    let captured = 0
    const fake = start(
      ({ searchParams }) => {
        const page = Number(searchParams.get('page'))
        return records(page > PAGES ? [] : [page * 2, page * 2 + 1])
      },
      { maxRequests: PAGES + 1 },
    )
    let waiting = 0
    let mostWaiting = 0
    const app = {
      ...fake.app,
      capture: async () => {
        captured += 1
        waiting += 1
        mostWaiting = Math.max(mostWaiting, waiting)
        await null
        waiting -= 1
      },
    }

    await importNew(app, connectorOf(stream({ paginate: { page: { parameter: 'page' } } })))

    expect([captured, fake.requested.length]).toEqual([2 * PAGES, PAGES + 1])
    expect(mostWaiting).toBeLessThanOrEqual(2)
  })
})
