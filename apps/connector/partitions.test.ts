import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createFakeApp, type FakeResponse } from '../../test/apps/fake-app.ts'
import type { Condition, Connector, Stream } from './connector.ts'
import { importNew } from './import.ts'

const API = 'https://api.example.com'
const json = (body: unknown): FakeResponse => ({ body: JSON.stringify(body) })

const stream = (more: Partial<Stream> = {}): Stream => ({
  name: 'orders',
  path: '/orders',
  primary_key: 'id',
  to: { event: 'seen', person: 'person' },
  ...more,
})
const connectorOf = (...streams: Stream[]): Connector => ({ base_url: API, streams })

type Respond = (url: URL, headers: Readonly<Record<string, string>>) => FakeResponse
const start = (respond: Respond, config = {}) => createFakeApp({ respond, config })
type Fake = ReturnType<typeof start>
const pathsOf = (fake: Fake) =>
  fake.requested.map((url) => decodeURIComponent(url.slice(API.length)))
const idsOf = (fake: Fake) => fake.events().map(({ properties }) => properties.id)
const records = (...ids: unknown[]) => json(ids.map((id) => ({ id, person: 'p' })))

describe('a stream with partitions', () => {
  it('is read for each combination, in its path, query, headers and properties', async () => {
    const fake = start(() => records(1), { kinds: ' new, old ,' })
    const partitions = [
      { name: 'region', values: ['eu', 'us'] },
      { name: 'kind', setting: 'kinds' },
    ]

    await importNew(
      fake.app,
      connectorOf(
        stream({
          partitions,
          path: '/{{partition.region}}',
          query: { kind: '{{partition.kind}}' },
          headers: { 'x-region': '{{partition.region}}' },
          transform: [{ add: { region: '{{partition.region}}' } }],
        }),
      ),
    )

    expect(pathsOf(fake)).toEqual(['/eu?kind=new', '/eu?kind=old', '/us?kind=new', '/us?kind=old'])
    expect(fake.sentHeaders.map((headers) => headers['x-region'])).toEqual(['eu', 'eu', 'us', 'us'])
    // the same ID in another partition is another event
    expect(fake.events().map(({ properties }) => properties.region)).toEqual([
      ...['eu', 'eu', 'us', 'us'],
    ])
  })

  it('passes its values on to streams below, and has a cursor for each', async () => {
    const at = (url: URL) => (url.pathname.startsWith('/eu') ? '2025-01-01' : '2025-02-01')
    const fake = start((url) => json([{ id: 7, person: 'p', at: `${at(url)}T00:00:00.000Z` }]))
    const shops = stream({
      name: 'shops',
      path: '/{{partition.region}}',
      partitions: [{ name: 'region', values: ['eu', 'us'] }],
      to: undefined,
    })
    const orders = stream({
      parent: { stream: 'shops' },
      path: '/{{partition.region}}/{{shops.id}}',
      incremental: { field: 'at', parameter: 'since', format: 'date', lookback: 0 },
    })

    await importNew(fake.app, connectorOf(shops, orders))
    fake.requested.length = 0
    await importNew(fake.app, connectorOf(shops, orders))

    expect(pathsOf(fake)).toEqual([
      ...['/eu', '/eu/7?since=2025-01-01', '/us', '/us/7?since=2025-02-01'],
    ])
  })
})

describe('a stream in steps of time', () => {
  const incremental = {
    ...{ field: 'at', parameter: 'from', to_parameter: 'to', lookback: 0 },
    format: 'date',
    ...{ start: '{{start}}', step: 86_400 },
  } as const

  function useNow(time: string): void {
    vi.useFakeTimers({ now: new Date(time), toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
  }

  it('reads them one after the other, and continues behind those that are stored', async () => {
    useNow('2025-01-03T12:00:00Z')
    let isBroken = true
    const fake = start(
      (url) =>
        url.searchParams.get('from') === '2025-01-03' && isBroken
          ? { status: 400 }
          : records(url.searchParams.get('from')),
      { start: '2025-01-01' },
    )
    const connector = connectorOf(stream({ incremental }))

    await expect(importNew(fake.app, connector)).rejects.toThrow('returned 400')
    isBroken = false
    await importNew(fake.app, connector)

    expect(pathsOf(fake)).toEqual([
      '/orders?from=2025-01-01&to=2025-01-02',
      '/orders?from=2025-01-02&to=2025-01-03',
      '/orders?from=2025-01-03&to=2025-01-03',
      '/orders?from=2025-01-03&to=2025-01-03',
    ])
    expect(idsOf(fake)).toEqual(['2025-01-01', '2025-01-02', '2025-01-03'])
  })

  it.each([
    ['%Y-%m-%d %H:%M:%S', '2025-01-01 00:00:00'],
    ['%Y-%m-%dT%H:%M:%S.%f%z', '2025-01-01T00:00:00.000000+0000'],
    ['%s', '1735689600'],
    ['100%% %Q %d', '100% %Q 01'],
  ])('writes times by the pattern %s', async (format, text) => {
    const fake = start(() => records(), { start: '2025-01-01' })

    await importNew(
      fake.app,
      connectorOf(stream({ incremental: { ...incremental, format, step: undefined } })),
    )

    expect(new URL(fake.requested[0] ?? '').searchParams.get('from')).toBe(text)
  })

  it('refuses a start that is no date', async () => {
    const fake = start(() => records(), { start: 'soon' })

    await expect(importNew(fake.app, connectorOf(stream({ incremental })))).rejects.toThrow(
      '"soon" is not a date to start from.',
    )
  })
})

describe('the filter of a stream', () => {
  const all = [
    { id: 1, person: 'p', state: 'paid', paid: true, total: 5, at: '2025-01-01' },
    { id: 2, person: 'p', state: 'open', paid: 0, total: '50', at: '2025-02-01T00:00:00+01:00' },
    { id: 3, person: 'p', state: null, tags: [], total: 'much' },
  ]

  it.each<[Condition, number[]]>([
    [{ path: 'state', is: 'paid' }, [1]],
    [{ path: 'state', is: '{{state}}' }, [2]],
    [{ path: 'state', is: ['paid', 'open'] }, [1, 2]],
    [{ path: 'state', is_not: 'paid' }, [2, 3]],
    [{ path: 'total', is: '5' }, [1]],
    [{ path: 'state', empty: true }, [3]],
    [{ path: 'tags', empty: true }, [1, 2, 3]],
    [{ path: 'state', empty: false }, [1, 2]],
    [{ path: 'paid', truthy: true }, [1]],
    [{ path: 'paid', truthy: false }, [2, 3]],
    [{ path: 'tags', truthy: true }, []],
    [{ path: 'total', more_than: 5 }, [2]],
    [{ path: 'total', at_least: 5 }, [1, 2]],
    [{ path: 'total', at_most: '{{limit}}' }, [1]],
    [{ path: 'at', less_than: '2025-01-31T23:00:00Z' }, [1]],
    [{ path: 'at', at_most: '2025-01-31T23:00:00Z' }, [1, 2]],
  ])('keeps the records that meet %j', async (condition, ids) => {
    const fake = start(() => json(all), { state: 'open', limit: '7' })

    await importNew(fake.app, connectorOf(stream({ filter: [condition] })))

    expect(idsOf(fake)).toEqual(ids)
    expect(fake.logs.at(-1)).toContain(`${3 - ids.length} filtered out`)
  })

  it('also chooses the records that a stream below is read for', async () => {
    const fake = start(({ pathname }) => (pathname === '/shops' ? json(all) : records(1)))
    const filter = [{ path: 'state', is: 'paid' }]
    const shops = stream({ name: 'shops', path: '/shops', filter, to: undefined })
    const orders = stream({ parent: { stream: 'shops' }, path: '/shops/{{shops.id}}' })

    await importNew(fake.app, connectorOf(shops, orders))

    expect(pathsOf(fake)).toEqual(['/shops', '/shops/1'])
  })
})

it.each([
  ['one record', { id: 1, person: 'p' }, [1]],
  ['a list', [{ id: 1, person: 'p' }], [1]],
  ['nothing', null, []],
])('reads %s, if a response may be a single record', async (_, data, ids) => {
  const fake = start(() => json({ data }))

  await importNew(fake.app, connectorOf(stream({ records: 'data', single: true })))

  expect(idsOf(fake)).toEqual(ids)
})

it('copies values of records into fields of their own', async () => {
  const fake = start(() => json([{ id: 1, person: 'p', sums: { total: 5 } }]))
  const transform = [{ copy: { total: 'sums.total', none: 'sums.none' } }, { remove: ['sums'] }]

  await importNew(fake.app, connectorOf(stream({ transform })))

  expect(fake.events()[0]?.properties).toEqual({ id: 1, total: 5, none: null })
})

it('keeps records apart whose ID has several parts', async () => {
  const fake = start(() =>
    json([
      { id: 1, line: 1, person: 'p' },
      { id: 1, line: 2, person: 'p' },
      { id: 1, line: 1, person: 'p', changed: true },
    ]),
  )

  await importNew(fake.app, connectorOf(stream({ primary_key: ['id', 'line'] })))

  expect(fake.events()).toHaveLength(2)
})

describe('the hosts of a connector', () => {
  const paginate = { cursor: { path: 'next' } }
  const toNext = (next: string) => () => json({ data: [{ id: 1, person: 'p' }], next })
  const listed = stream({ records: 'data', paginate })

  it.each([
    'https://elsewhere.example.com/2',
    'https://api.example.com:8443/2',
    'file:///etc/passwd',
  ])('do not include that of a further page at %s', async (next) => {
    const fake = start(toNext(next))

    await expect(importNew(fake.app, connectorOf(listed))).rejects.toThrow(
      'Stream "orders": a further page or a redirect leads to ',
    )
    expect(fake.requested).toHaveLength(1)
  })

  it('are those of redirects too, which get the key on their own origin only', async () => {
    const targets: Readonly<Record<string, string>> = {
      '/orders': '/moved',
      '/moved': 'https://files.example.com/list',
    }
    const fake = start(
      ({ pathname }) => {
        const location = targets[pathname]
        return location ? { status: 302, headers: { location } } : records(1)
      },
      { token: 's3cret' },
    )
    const connector = { ...connectorOf(stream()), auth: { bearer: 'token' } }

    await expect(importNew(fake.app, connector)).rejects.toThrow(
      'Add "files.example.com" to its hosts.',
    )
    await importNew(fake.app, { ...connector, hosts: ['files.example.com'] })

    expect(idsOf(fake)).toEqual([1])
    expect(fake.sentHeaders.slice(-3).map(({ authorization }) => authorization)).toEqual([
      ...['Bearer s3cret', 'Bearer s3cret', undefined],
    ])
  })

  it('end a chain of redirects', async () => {
    const fake = start(() => ({ status: 301, headers: { location: '/orders' } }))

    await expect(importNew(fake.app, connectorOf(stream()))).rejects.toThrow('redirected too often')
    expect(fake.requested).toHaveLength(11)
  })

  it('cannot be changed by a setting that is a part of one', async () => {
    const fake = start(() => records(1), { shop: 'evil.example.com/' })
    const connector = { ...connectorOf(stream()), base_url: 'https://{{shop}}.example.com' }

    await expect(importNew(fake.app, connector)).rejects.toThrow('cannot be part of the host')
    expect(fake.requested).toEqual([])
  })
})
