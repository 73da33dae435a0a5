import { describe, expect, it } from 'vitest'
import { createFakeApp, type FakeResponse } from '../../test/apps/fake-app.ts'
import type { Connector, Stream } from './connector.ts'
import { importNew, importWindow } from './import.ts'

const API = 'https://api.example.com/v1'

const ORDERS: Stream = {
  name: 'orders',
  path: '/orders',
  records: 'data',
  primary_key: 'id',
  to: { event: 'order', person: 'customer.email', time: 'at' },
}

const order = (id: number, fields: object = {}) => ({
  id,
  at: `2025-01-${String(id).padStart(2, '0')}T00:00:00Z`,
  customer: { email: `p${id}@example.com` },
  ...fields,
})

const toBody = (data: unknown, more: object = {}): FakeResponse => ({
  body: JSON.stringify({ data, ...more }),
})

const connectorOf = (stream: Partial<Stream>, more: Partial<Connector> = {}): Connector => ({
  base_url: API,
  streams: [{ ...ORDERS, ...stream }],
  ...more,
})

type Respond = (url: URL, headers: Readonly<Record<string, string>>) => FakeResponse
const start = (respond: Respond, config: Record<string, unknown> = {}) =>
  createFakeApp({ config, respond })

const idsOf = (fake: ReturnType<typeof start>) =>
  fake.events().map(({ properties }) => properties.id)

/** Serves these orders in pages of two. */
const inPages =
  (count: number, size = 2): Respond =>
  (url) => {
    const all = Array.from({ length: count }, (_, index) => order(index + 1))
    const page = Number(url.searchParams.get('page') ?? 1) - 1
    const offset = Number(url.searchParams.get('offset') ?? page * size)
    const some = all.slice(offset, offset + size)
    const next = offset + size < count ? String(offset + size) : null
    const link = next === null ? '' : `</v1/orders?offset=${next}>; rel="next"`
    return { ...toBody(some, { meta: { next } }), headers: { link } }
  }

describe('a connector', () => {
  it.each([
    ['page', { page: { parameter: 'page' } }, ['1', '2', '3', '4']],
    [
      'offset',
      { offset: { parameter: 'offset', limit_parameter: 'limit', limit: 2 } },
      ['0', '2', '4'],
    ],
    ['cursor', { cursor: { path: 'meta.next', parameter: 'offset' } }, [null, '2', '4']],
    ['link', { link: true }, [null, '2', '4']],
  ] as const)('reads every page by %s', async (kind, paginate, pages) => {
    const fake = start(inPages(5))

    await importNew(fake.app, connectorOf({ paginate }))

    expect(idsOf(fake)).toEqual([1, 2, 3, 4, 5])
    const parameter = kind === 'page' ? 'page' : 'offset'
    expect(fake.requested.map((url) => new URL(url).searchParams.get(parameter))).toEqual(pages)
  })

  it('reads on after an empty first page, but not forever', async () => {
    const cursor = { path: 'next', parameter: 'after' }
    let n = 0
    const fake = start(() => toBody(n++ === 1 ? [order(1)] : [], { next: `c${n}` }))

    await importNew(fake.app, connectorOf({ paginate: { cursor } }))

    expect(idsOf(fake)).toEqual([1])
    expect(fake.requested).toHaveLength(12)
  })

  it('stops at a page that repeats the one before', async () => {
    const fake = start(() => toBody([order(1)]))

    await importNew(fake.app, connectorOf({ paginate: { page: { parameter: 'page' } } }))

    expect(idsOf(fake)).toEqual([1])
    expect(fake.requested).toHaveLength(2)
  })

  it('asks for what is new, with a lookback, and stores ties once', async () => {
    const incremental = {
      field: 'at',
      parameter: 'since',
      format: 'seconds',
      lookback: 60,
    } as const
    const fake = start(() => toBody([order(1), order(2), order(3, { at: order(2).at })]))
    const connector = connectorOf({ incremental, query: { sort: 'at' } })

    await importNew(fake.app, connector)
    await importNew(fake.app, connector)

    const since = String(Date.parse('2025-01-02') / 1000 - 60)
    expect(fake.requested).toEqual([
      `${API}/orders?sort=at`,
      `${API}/orders?sort=at&since=${since}`,
    ])
    expect(idsOf(fake)).toEqual([1, 2, 3])
  })

  it('keeps the cursor of a stream that failed, and imports the others', async () => {
    const incremental = { field: 'at', parameter: 'since' }
    const paginate = { page: { parameter: 'page' } }
    const refunds = { ...ORDERS, name: 'refunds', path: '/refunds' }
    let isExpired = true
    const fake = start((url) => {
      if (url.pathname.endsWith('refunds')) return toBody([order(9)])
      const page = url.searchParams.get('page')
      if (page === '2' && isExpired)
        return { status: 401, body: `{"error":"key ${'x'.repeat(300)}"}` }
      return toBody(page === '1' ? [order(1)] : [])
    })
    const streams = [{ ...ORDERS, incremental, paginate }, refunds]
    const connector = { base_url: API, streams }

    const failing = importNew(fake.app, connector)
    await expect(failing).rejects.toThrow(
      /^Stream "orders": https:\/\/api\.example\.com\/v1\/orders returned 401.*key x{100,190}$/,
    )
    expect(idsOf(fake)).toEqual([1, 9])
    isExpired = false
    fake.requested.length = 0
    await importNew(fake.app, connector)

    expect(fake.requested[0]).toBe(`${API}/orders?page=1`)
    expect(idsOf(fake)).toEqual([1, 9])
  })

  it('names a failed request without the key in its query', async () => {
    const fake = start(() => ({ status: 403, body: 'forbidden' }), { token: 's3cret' })
    const auth = { query: { name: 'key', setting: 'token' } }

    await expect(importNew(fake.app, connectorOf({ query: { a: 'b' } }, { auth }))).rejects.toThrow(
      /^Stream "orders": https:\/\/api\.example\.com\/v1\/orders returned 403\. Response: forbidden$/,
    )
    expect(fake.requested).toEqual([`${API}/orders?a=b&key=s3cret`])
  })

  it.each([
    [{ bearer: 'token' }, { authorization: 'Bearer s3cret' }, ''],
    [
      { basic: { user: 'shop', password: 'token' } },
      { authorization: `Basic ${btoa('corner:s3cret')}` },
      '',
    ],
    [{ basic: { user: 'token' } }, { authorization: `Basic ${btoa('s3cret:')}` }, ''],
    [{ header: { name: 'x-api-key', setting: 'token' } }, { 'x-api-key': 's3cret' }, ''],
    [
      { header: { name: 'authorization', setting: 'token', prefix: 'Token ' } },
      { authorization: 'Token s3cret' },
      '',
    ],
    [{ query: { name: 'key', setting: 'token' } }, {}, '?key=s3cret'],
  ])('sends the key of %j to its own origin only', async (auth, headers, search) => {
    const elsewhere = 'https://elsewhere.example.com/2'
    const fake = start((url) => toBody([], url.host.startsWith('api') ? { next: elsewhere } : {}), {
      token: 's3cret',
      shop: 'corner',
    })
    const paginate = { cursor: { path: 'next' } }

    await importNew(fake.app, connectorOf({ paginate }, { auth, hosts: ['elsewhere.example.com'] }))

    expect(fake.requested).toEqual([`${API}/orders${search}`, elsewhere])
    expect(fake.sentHeaders[0]).toEqual({ accept: 'application/json', ...headers })
    expect(fake.sentHeaders[1]).toEqual({ accept: 'application/json' })
  })

  it('fills settings into its URL, escaped within the path', async () => {
    const fake = start(() => toBody([]), { shop: 'corner', list: 'a/b?c' })
    const stream = { path: '/lists/{{list}}', query: { shop: '{{shop}}' } }

    await importNew(
      fake.app,
      connectorOf(stream, { base_url: 'https://{{shop}}.example.com/api/' }),
    )

    expect(fake.requested).toEqual(['https://corner.example.com/api/lists/a%2Fb%3Fc?shop=corner'])
  })

  it('transforms records, and leaves out those without a person or a time', async () => {
    const transform = [
      { rename: { sum: 'total' }, add: { source: 'shop' } },
      { cast: { total: 'number', paid: 'boolean', note: 'string' }, remove: ['id'] },
    ] as const
    const records = [
      order(1, { sum: ' 12.50 ', paid: 'true', note: { a: 1 } }),
      order(2, { sum: { odd: true }, paid: 7, note: null }),
      order(3, { customer: null }),
      order(4, { at: 'soon' }),
      'text',
    ]
    const fake = start(() => toBody(records))

    await importNew(fake.app, connectorOf({ transform }))

    const [first, second] = fake.events()
    expect(first).toMatchObject({
      event: 'order',
      distinct_id: 'p1@example.com',
      timestamp: '2025-01-01T00:00:00.000Z',
      properties: { source: 'shop', total: 12.5, paid: true, note: '{"a":1}' },
    })
    expect(first?.properties).not.toHaveProperty('id')
    expect(second?.properties).toMatchObject({ total: null, paid: null, note: null })
    expect(fake.skipped.map(({ reason }) => reason)).toEqual([
      'Stream "orders", record 3: no person ID in "customer.email".',
      'Stream "orders", record 4: "soon" in "at" is not a date.',
      'Stream "orders", record 5: not an object.',
    ])
  })

  it('ends a stream at a response that is no failure', async () => {
    const fake = start(() => ({ status: 404, body: 'none yet' }))
    const errors = [{ status: 404, action: 'ignore' }] as const

    await importNew(fake.app, connectorOf({ errors }))

    expect(fake.logs.join('\n')).toContain('returned 404')
  })

  it('shows a response that has no list', async () => {
    const fake = start(() => ({ body: '<html> Sign in </html>' }))

    await expect(importNew(fake.app, connectorOf({}))).rejects.toThrow(
      'Stream "orders": the response has no list at "data". Response: <html> Sign in </html>',
    )
  })

  it('sets the budget of its host', async () => {
    const fake = start(() => toBody([]))
    const rate_limit = { requests: 10, seconds: 60 }

    await importNew(fake.app, connectorOf({}, { rate_limit }))

    expect(fake.rates).toEqual([{ host: 'api.example.com', ...rate_limit }])
  })

  it('imports a window of the streams that have an end parameter', async () => {
    const incremental = {
      field: 'at',
      parameter: 'since',
      to_parameter: 'until',
      format: 'date',
    } as const
    const fake = start(() => toBody([order(1)]))
    const plain = { ...ORDERS, name: 'plain' }
    const connector = { base_url: API, streams: [{ ...ORDERS, incremental }, plain] }
    const window = { from: '2025-01-01T00:00:00.000Z', to: '2025-01-02T00:00:00.000Z' }

    await importWindow(fake.app, connector, { ...window, streams: null })

    expect(fake.requested).toEqual([`${API}/orders?since=2025-01-01&until=2025-01-02`])
    expect(() => importWindow(fake.app, connector, { ...window, streams: ['plain'] })).toThrow(
      'The stream "plain" cannot import the past.',
    )
  })
})
