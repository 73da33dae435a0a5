import { type IncomingMessage, request } from 'node:http'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { installHeaders } from '#server/http/headers.ts'
import { PROJECT, startApp, type TestApp, useApp } from '../support/app/app.ts'
import { type RawRequest, send } from './raw.ts'
import { listRoutes, type Route } from './routes.ts'

const MIB = 1024 * 1024
const ORIGIN = 'https://shop.example'
const OPEN = {
  'access-control-allow-origin': ORIGIN,
  'access-control-allow-credentials': 'true',
  vary: expect.stringMatching(/^Origin\b/),
}
/** Headers of posthog-js, Segment's and RudderStack's clients, and of tools that trace the requests of a page. */
const HEADERS =
  'anonymousid, authorization, content-encoding, content-type, posthog-sdk-info, sentat, traceparent, x-retry-count'

/** Paths that pages call with a project token. */
const PAGES = [
  // requests of other services, such as a form of another site
  '/in/:token',
  ...['/batch', '/capture', '/e', '/engage', '/track', '/i/v0/e', '/i/v0/ai/batch'],
  ...['/i/v1/analytics/events', '/flags', '/decide'],
  ...['/array/:project_token/config', '/array/:project_token/config.js'],
  ...['/static/:file', '/static/:version/:file'],
  ...['surveys', 'early_access_features', 'web_experiments', 'product_tours'].map(
    (name) => `/api/${name}`,
  ),
  ...['alias', 'batch', 'group', 'identify', 'page', 'screen', 'track'].flatMap((name) => [
    `/v1/${name}`,
    `/v1/${name[0]}`,
  ]),
  ...['/v1/m', '/beacon/v1/batch', '/v1/projects/:project_token/settings', '/sourceConfig'],
]

async function start(app: Promise<TestApp> = useApp()) {
  const api = await app
  const { body: project } = await api.get(PROJECT)
  const token = project.api_token as string
  const routes = (await listRoutes(api.services)).map((route) => ({
    ...route,
    path: route.url.replace(':project_token', token).replace(/:\w+/g, 'x'),
  }))
  const sendFrom = (origin: string, { headers, ...sent }: RawRequest) =>
    send(api.url, { ...sent, headers: { origin, ...headers } })
  return { api, token, routes, sendFrom }
}

const preflight = (path: string, method: string): RawRequest => ({
  method: 'OPTIONS',
  path,
  headers: { 'access-control-request-method': method, 'access-control-request-headers': HEADERS },
})

const isOpen = ({ pages }: Route) => pages === 'any'

describe('pages of other origins', () => {
  it('may call the routes that take project tokens with credentials', async () => {
    const { routes, sendFrom } = await start()
    const open = routes.filter(isOpen)

    for (const { method, path } of open) {
      const asked = await sendFrom(ORIGIN, preflight(path, method))
      const got = await sendFrom(ORIGIN, { method, path })

      expect(asked, path).toMatchObject({ status: 204, headers: OPEN })
      expect(asked.headers['access-control-allow-headers'], path).toBe(HEADERS)
      expect(got.headers, path).toMatchObject(OPEN)
      expect(got.headers).not.toHaveProperty('set-cookie')
    }
    expect([...new Set(open.map(({ url }) => url))].toSorted()).toEqual(PAGES.toSorted())
  })

  it('may call no other route with credentials', async () => {
    const { routes, sendFrom } = await start()
    const closed = new Set(routes.filter((route) => !isOpen(route)).map(({ path }) => path))
    for (const { path } of routes.filter(isOpen)) closed.delete(path)

    for (const path of [...closed, '/api/none', '/s', '/i/v1/logs', '/none']) {
      const asked = await sendFrom(ORIGIN, preflight(path, 'POST'))

      expect(asked.headers, path).not.toHaveProperty('access-control-allow-credentials')
      expect(['*', undefined], path).toContain(asked.headers['access-control-allow-origin'])
    }
    expect(closed.size).toBeGreaterThan(100)
    for (const path of ['/mcp', '/api/sign_in', '/api/users/@me', '/flags/definitions'])
      expect(closed).toContain(path)
  })

  it('may read errors too', async () => {
    const { api, token, sendFrom } = await start(startApp())
    const post = (path: string, body: string) => sendFrom(ORIGIN, { method: 'POST', path, body })
    const length = { 'content-length': String(20 * MIB + 1) }

    const answers = [
      await post('/e/', '{'),
      await post('/e/', '{"event":"a","distinct_id":"b"}'),
      await sendFrom(ORIGIN, { method: 'GET', path: '/array/phc_x/config' }),
      await sendFrom(ORIGIN, { method: 'PUT', path: '/e/?ip=1' }),
      await sendFrom(ORIGIN, { method: 'POST', path: '/v1/projects/x/settings' }),
      await sendFrom(ORIGIN, { method: 'POST', path: '/static/array.js' }),
      await sendFrom(ORIGIN, { method: 'POST', path: '/v1/t', headers: length }),
      await sendFrom(ORIGIN, { method: 'GET', path: '/static/none.js' }),
    ]
    await sql`alter table projects rename to elsewhere`.execute(api.db)
    answers.push(await post('/e/', JSON.stringify({ event: 'a', distinct_id: 'b', token })))

    expect(answers.map(({ status }) => status)).toEqual([
      400, 401, 404, 405, 405, 405, 413, 404, 500,
    ])
    for (const { headers } of answers) expect(headers).toMatchObject(OPEN)
  })

  it('may read that the server is busy', async () => {
    const { api, token } = await start(startApp())
    const body = `{"api_key":"${token}","batch":[{"event":"${'x'.repeat(19 * MIB)}"}]}`
    const headers = { origin: ORIGIN, 'content-length': String(20 * MIB) }
    /** Sends most of a body, so that the server keeps it in memory. */
    const sendUnfinished = () =>
      new Promise<IncomingMessage>((resolve) => {
        const unfinished = request(`${api.url}/batch`, { method: 'POST', headers }, resolve)
        unfinished.on('error', () => {}) // the end of the test
        unfinished.write(body)
        onTestFinished(() => void unfinished.destroy())
      })

    const refused = await Promise.race([sendUnfinished(), sendUnfinished(), sendUnfinished()])

    expect(refused.statusCode).toBe(503)
    expect(refused.headers).toMatchObject(OPEN)
  })

  it('may be files and sandboxed frames, whose origin is null', async () => {
    const { sendFrom } = await start()

    const { headers } = await sendFrom('null', { method: 'POST', path: '/e' })

    expect(headers).toMatchObject({ ...OPEN, 'access-control-allow-origin': 'null' })
  })

  it('get the same response with and without a session', async () => {
    const { api, routes, sendFrom } = await start(startApp())
    const { token } = await api.withSession()
    const cookie = { cookie: `hedgerow_session=${token}` }
    const isSession = await send(api.url, {
      method: 'GET',
      path: '/api/users/@me',
      headers: cookie,
    })
    expect(isSession.status).toBe(200)

    for (const { method, path } of routes.filter(isOpen)) {
      const withSession = await sendFrom(ORIGIN, { method, path, headers: cookie })
      const without = await sendFrom(ORIGIN, { method, path })

      expect([withSession.status, withSession.text], path).toEqual([without.status, without.text])
      expect(withSession.headers).not.toHaveProperty('set-cookie')
    }
  })

  it('share no cached script with other origins', async () => {
    const { api } = await start()

    const { headers } = await send(api.url, { method: 'GET', path: '/static/array.js' })

    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      vary: 'Origin, Accept-Encoding',
    })
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  })
})

it('refuses to start with a guarded route that is open to pages', () => {
  const app = Fastify()
  installHeaders(app)
  const config = { scope: 'key' as const, pages: 'any' as const }

  expect(() => app.get('/x', { config }, async () => 'x')).toThrow('GET /x is open to pages')
})
