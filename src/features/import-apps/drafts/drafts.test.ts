import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startApp, type TestApp } from '../../../../test/support/app/app.ts'
import { appOf } from '../../../../test/support/app/plugin.ts'

const DRAFTS = '/api/organizations/@current/plugin_drafts'
const SECRET = 's3cret-of-the-shop'

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const start = () => startApp(undefined, { HEDGEROW_APP_HOSTS: '127.0.0.1' })

const fetchFor = (api: TestApp, body: object) => api.post(`${DRAFTS}/fetch`, body)
const test = (api: TestApp, body: object) => api.post(`${DRAFTS}/test`, body)

/** Shows what it received. */
const echo: RequestListener = ({ url, headers }, response) => {
  const { authorization, 'x-key': key } = headers
  const link = `<${url}&page=2>; rel="next"`
  response.writeHead(200, { 'content-type': 'application/json', link })
  response.end(JSON.stringify({ url, authorization, key }))
}

describe('a response for a draft', () => {
  it.each([
    ['a bearer token', { bearer: SECRET }, 'authorization', 'Bearer ***'],
    ['a password', { basic: { user: 'shop', password: SECRET } }, 'authorization', 'Basic '],
    ['a header', { header: { name: 'X-Key', value: SECRET } }, 'key', '***'],
    ['a parameter', { query: { name: 'token', value: SECRET } }, 'url', '/a?b=1&token=***'],
  ])('is fetched with %s, which it never shows', async (_, key, field, shown) => {
    const url = await serve(echo)

    const { status, body, text } = await fetchFor(await start(), { url: `${url}/a?b=1`, key })

    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 200, url: `${url}/a?b=1` })
    expect(body).toMatchObject({ content_type: 'application/json' })
    expect(body.link).toContain('page=2')
    expect(JSON.parse(body.body)[field].replace(/\*+/, '***')).toContain(shown)
    expect(text).not.toContain(SECRET)
    expect(text).not.toContain(Buffer.from(SECRET).toString('base64').slice(2, 20))
  })

  it('can be an error of the API, which is shown', async () => {
    const url = await serve((_, response) => void response.writeHead(401).end('no key'))

    const { status, body } = await fetchFor(await start(), { url })

    expect([status, body.status, body.body]).toEqual([200, 401, 'no key'])
  })

  it('does not take the key to another origin', async () => {
    const other = await serve(echo)
    const url = await serve(
      (_, response) => void response.writeHead(302, { location: other }).end(),
    )
    const api = await start()

    const bearer = await fetchFor(api, { url, key: { bearer: SECRET } })
    const header = await fetchFor(api, { url, key: { header: { name: 'x-key', value: SECRET } } })

    for (const { body } of [bearer, header]) {
      expect(body.url).toBe(`${other}/`)
      expect(JSON.parse(body.body)).toEqual({ url: '/' })
    }
  })

  it('is refused from private addresses, directly and by a redirect', async () => {
    const api = await startApp()
    const allowing = await start()
    const url = await serve(
      (_, response) => void response.writeHead(302, { location: 'http://10.1.2.3/' }).end(),
    )

    for (const [client, target, host] of [
      [api, url, '127.0.0.1'],
      [api, 'http://169.254.169.254/latest/meta-data', '169.254.169.254'],
      [api, 'http://[::1]:8000/', '[::1]'],
      [allowing, url, '127.0.0.1'],
    ] as const) {
      const { status, body } = await fetchFor(client, { url: target })
      expect([status, body.attr]).toEqual([400, 'url'])
      expect(body.detail).toContain(`${host} is not a public address`)
    }
  })

  it.each<[string, string, object]>([
    ['an address that is none', 'url', { url: 'shop' }],
    ['another scheme', 'url', { url: 'file:///etc/passwd' }],
    ['credentials in the address', 'url', { url: 'http://a:b@127.0.0.1/' }],
    ['a port without a server', 'url', { url: 'http://127.0.0.1:1/' }],
    ['a header that cannot be sent', 'url', { key: { header: { name: 'a b', value: 'x' } } }],
    ['a line break in the key', 'url', { key: { bearer: 'a\nb' } }],
    [
      'a host header of its own',
      'url',
      { key: { header: { name: 'Transfer-Encoding', value: 'x' } } },
    ],
    ['an unknown field', 'method', { method: 'POST' }],
    ['two keys', 'key', { key: { bearer: 'a', query: { name: 'b', value: 'c' } } }],
    ['an unknown key', 'key__cookie', { key: { cookie: 'a' } }],
  ])('is refused for %s', async (_, attr, body) => {
    const url = await serve(echo)

    const refused = await fetchFor(await start(), { url: `${url}/`, ...body })

    expect(refused).toMatchObject({ status: 400, body: { type: 'validation_error', attr } })
    expect(refused.body.detail).not.toBe('')
  })

  it('is refused if it is too large', async () => {
    const url = await serve((_, response) => void response.end('x'.repeat(1024 * 1024 + 1)))

    const { status, body } = await fetchFor(await start(), { url })

    expect([status, body.detail]).toEqual([400, 'The response is larger than 1048576 bytes'])
  })
})

const CONNECTOR = (url: string, streams = 'person: email') => `
base_url: ${url}
auth: { bearer: key }
streams:
  - name: orders
    path: /orders
    paginate: { page: { parameter: page } }
    primary_key: id
    to: { event: order, ${streams} }
`

const connectorFiles = (yaml: string) => ({
  'plugin.json': JSON.stringify({
    name: 'Shop',
    config: [{ key: 'key', type: 'string', secret: true, required: true }],
  }),
  'connector.yaml': yaml,
})

/** Serves two pages of 15 orders to those with the key; the last order has no person. */
const shop: RequestListener = ({ url = '', headers }, response) => {
  const page = Number(new URL(url, 'http://x').searchParams.get('page'))
  response.statusCode = headers.authorization === `Bearer ${SECRET}` ? 200 : 401
  const ids = Array.from({ length: page > 2 ? 0 : 15 }, (_, index) => page * 15 - 14 + index)
  response.end(JSON.stringify(ids.map((id) => ({ id, email: id === 30 ? null : `p${id}@x.org` }))))
}

describe('a test of a draft', () => {
  it('runs a connector on every page and stores nothing', async () => {
    const api = await start()
    const files = connectorFiles(CONNECTOR(await serve(shop)))
    const plugins = await api.get('/api/organizations/@current/plugins')

    const { status, body } = await test(api, { files, settings: { key: SECRET } })

    expect(status).toBe(200)
    expect(body).toMatchObject({ state: 'succeeded', message: '', count: 29, skipped_count: 1 })
    expect(body.events).toHaveLength(20)
    expect(body.events[0]).toMatchObject({ event: 'order', distinct_id: 'p1@x.org' })
    expect(body.skipped).toMatchObject([{ reason: expect.stringContaining('no person ID') }])
    expect(body.log.at(-1).message).toContain('30 records read, 1 skipped')
    expect((await api.get('/api/organizations/@current/plugins')).body).toEqual(plugins.body)
    expect(await api.services.events.list(1, { limit: 1, offset: 0 })).toEqual([])
  })

  it('says why a connector fails, without its key', async () => {
    const url = await serve((_, response) => void response.writeHead(403).end(`not ${SECRET}`))
    const files = connectorFiles(CONNECTOR(url))

    const { body, text } = await test(await start(), { files, settings: { key: SECRET } })

    expect(body).toMatchObject({ state: 'failed', count: 0 })
    expect(body.message).toContain('/orders returned 403')
    expect(text).not.toContain(SECRET)
  })

  it('ends once it has read enough', async () => {
    const code = `export async function runEveryHour(meta) {
      for (let n = 0; ; n++) await posthog.capture('n', { distinct_id: 'a' })
    }`

    const { body } = await test(await start(), { files: appOf(code) })

    expect(body).toMatchObject({ state: 'succeeded', message: '' })
    expect(body.count).toBeGreaterThanOrEqual(1000)
    expect(body.events).toHaveLength(20)
  })

  it('starts empty each time, and runs the chosen job', async () => {
    const api = await start()
    const files = appOf(`export const jobs = {
      first: async (_, { storage }) => {
        await posthog.capture('seen ' + await storage.get('seen', 'never'), { distinct_id: 'a' })
        await storage.set('seen', 'before')
      },
      second: () => posthog.capture('second', { distinct_id: 'a' }),
    }`)
    const eventsOf = async (body: object) =>
      (await test(api, { files, ...body })).body.events.map(({ event }: { event: string }) => event)

    expect(await eventsOf({})).toEqual(['seen never'])
    expect(await eventsOf({})).toEqual(['seen never'])
    expect(await eventsOf({ job: 'second' })).toEqual(['second'])
  })

  it.each<[string, string, object]>([
    ['a mistake in connector.yaml', 'files', { files: connectorFiles('streams: []') }],
    ['code that does not compile', 'files', { files: appOf('export const = 1') }],
    ['an app with nothing to run', 'files', { files: appOf('export const a = 1') }],
    ['no plugin.json', 'files', { files: { 'index.ts': '' } }],
    ['a missing setting', 'settings', { files: connectorFiles(CONNECTOR('http://a.example')) }],
    ['an unknown field', 'dry_run', { files: {}, dry_run: true }],
    ['an unknown job', 'job', { files: appOf('export function runEveryHour() {}'), job: 'x' }],
  ])('is refused for %s', async (_, attr, body) => {
    expect(await test(await start(), body)).toMatchObject({
      status: 400,
      body: { type: 'validation_error', attr },
    })
  })

  it('is for admins only', async () => {
    const member = await (await start()).as({ level: 1 })

    expect((await member.post(`${DRAFTS}/test`, { files: {} })).status).toBe(403)
    expect((await member.post(`${DRAFTS}/fetch`, { url: 'http://a.example' })).status).toBe(403)
  })
})
