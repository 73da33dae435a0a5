import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createFakeApp, type FakeResponse } from '../../test/apps/fake-app.ts'
import type { Connector, OAuth } from './connector.ts'
import { importNew } from './import.ts'

const API = 'https://api.example.com'
const TOKENS = 'https://sign-in.example.com/token'
const SETTINGS = { id: 'client é', secret: 's3cret+', first: 'refresh-1' }

const connectorOf = (oauth: Partial<OAuth> = {}): Connector => ({
  base_url: API,
  auth: { oauth: { token_url: TOKENS, client_id: 'id', client_secret: 'secret', ...oauth } },
  streams: [
    {
      name: 'orders',
      path: '/orders',
      records: 'data',
      paginate: { page: { parameter: 'page' } },
      primary_key: 'id',
      to: { event: 'order', person: 'person' },
    },
  ],
})

const json = (body: unknown, status = 200): FakeResponse => ({ status, body: JSON.stringify(body) })

interface Given {
  readonly token?: (body: URLSearchParams, count: number) => FakeResponse
  readonly orders?: (page: string, authorization: string | undefined) => FakeResponse
}

/** Serves tokens `access-1`, `access-2` and so on, and three pages of orders. */
function start({ token, orders }: Given = {}) {
  const asked: { readonly body: URLSearchParams; readonly authorization: string | undefined }[] = []
  const fake = createFakeApp({
    config: SETTINGS,
    respond: (url, { authorization }, text) => {
      if (url.href === TOKENS) {
        const body = new URLSearchParams(text)
        asked.push({ body, authorization })
        const count = asked.length
        return token?.(body, count) ?? json({ access_token: `access-${count}`, expires_in: 3600 })
      }
      const page = url.searchParams.get('page') ?? ''
      const record = { id: page, person: 'p' }
      return orders?.(page, authorization) ?? json({ data: page === '4' ? [] : [record] })
    },
  })
  return { ...fake, asked }
}

describe('a connector with OAuth', () => {
  it('signs in its client once for a run', async () => {
    const fake = start()

    await importNew(fake.app, connectorOf({ parameters: { scope: 'read', audience: '{{id}}' } }))

    expect(fake.asked.map(({ body }) => Object.fromEntries(body))).toEqual([
      {
        grant_type: 'client_credentials',
        scope: 'read',
        audience: 'client é',
        client_id: 'client é',
        client_secret: 's3cret+',
      },
    ])
    const sent = fake.sentHeaders.slice(1).map(({ authorization }) => authorization)
    expect(sent).toEqual(Array(4).fill('Bearer access-1'))
    expect(fake.events()).toHaveLength(3)
  })

  it('sends its client by basic authentication', async () => {
    const fake = start()

    await importNew(fake.app, connectorOf({ credentials: 'basic' }))

    const [{ body, authorization } = { body: null, authorization: '' }] = fake.asked
    expect(Object.fromEntries(body ?? [])).toEqual({ grant_type: 'client_credentials' })
    expect(authorization).toBe(`Basic ${btoa('client%20%C3%A9:s3cret%2B')}`)
  })

  it('requests another token before one ends', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const fake = start({
      orders: (page) => {
        vi.setSystemTime(Date.now() + 20 * 60_000)
        return json({ data: page === '4' ? [] : [{ id: page, person: 'p' }] })
      },
    })

    await importNew(fake.app, connectorOf())

    const sent = fake.sentHeaders.map(({ authorization }) => authorization).filter(Boolean)
    expect(sent).toEqual([...Array(3).fill('Bearer access-1'), 'Bearer access-2'])
  })

  it('requests another token after one 401 in the middle, and reads no page twice', async () => {
    const fake = start({
      orders: (page, authorization) =>
        page === '2' && authorization === 'Bearer access-1'
          ? json({ error: 'expired' }, 401)
          : json({ data: page === '4' ? [] : [{ id: page, person: 'p' }] }),
    })

    await importNew(fake.app, connectorOf())

    const pages = fake.requested.map((url) => new URL(url).searchParams.get('page'))
    expect(pages).toEqual([null, '1', '2', null, '2', '3', '4'])
    expect(fake.counts.captured).toBe(3)
  })

  it('fails at the second 401, without its tokens', async () => {
    const fake = start({
      orders: (_, authorization) => json({ error: `bad ${authorization}` }, 401),
    })

    const importing = importNew(fake.app, connectorOf())

    await expect(importing).rejects.toThrow(
      /^Stream "orders": https:\/\/api\.example\.com\/orders returned 401\. Response: \{"error":"bad Bearer \*+"\}$/,
    )
    expect(fake.asked).toHaveLength(2)
  })

  it('masks its tokens in warnings', async () => {
    const fake = start({ orders: (_, authorization) => json({ busy: authorization }, 503) })

    await expect(importNew(fake.app, connectorOf())).rejects.toThrow('returned 503')

    expect(fake.logs.join()).toContain('returned 503')
    expect(fake.logs.join()).not.toContain('access-1')
  })

  it('uses a refresh token, and remembers the one that replaces it', async () => {
    const fake = start({
      token: (body, count) =>
        body.get('refresh_token') === `refresh-${count}`
          ? json({ access_token: `access-${count}`, refresh_token: `refresh-${count + 1}` })
          : json({ error: 'invalid_grant' }, 400),
    })
    const connector = connectorOf({ refresh_token: 'first' })

    await importNew(fake.app, connector)
    await importNew(fake.app, connector)

    expect(fake.asked.map(({ body }) => body.get('grant_type'))).toEqual(
      Array(2).fill('refresh_token'),
    )
    expect([...fake.storage.values()].join()).not.toContain('refresh-2')
  })

  it('forgets it when the one in the settings changes', async () => {
    const fake = start({ token: () => json({ access_token: 'a', refresh_token: 'refresh-2' }) })
    const connector = connectorOf({ refresh_token: 'first' })
    await importNew(fake.app, connector)

    const { meta } = fake.app
    const app = { ...fake.app, meta: { ...meta, config: { ...SETTINGS, first: 'another' } } }
    await importNew(app, connector)

    expect(fake.asked.map(({ body }) => body.get('refresh_token'))).toEqual([
      'refresh-1',
      'another',
    ])
  })

  it.each([
    [json({ error: 'invalid_client' }, 401), `${TOKENS} returned 401. Response: {"error":"inv`],
    [{ status: 302, headers: { location: 'https://elsewhere.example.com' } }, 'returned 302.'],
    [{ body: '<html>' }, `${TOKENS} returned no access_token.`],
    [json({ access_token: '' }), `${TOKENS} returned no access_token.`],
  ])('fails by the name of its stream if there is no token: %j', async (response, message) => {
    const fake = start({ token: () => response })

    const importing = importNew(fake.app, connectorOf())

    await expect(importing).rejects.toThrow(message)
    await expect(importing).rejects.toThrow('Stream "orders": ')
  })
})
