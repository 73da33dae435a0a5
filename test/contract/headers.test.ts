import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app/app.ts'
import { OWNER } from '../support/app/owner.ts'
import { CONFIGS, DASHBOARDS } from './paths.ts'
import { send } from './raw.ts'

const SECURITY = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'same-origin',
  'content-security-policy': expect.stringContaining("default-src 'none'"),
}

const AUTHORIZED = { authorization: `Bearer ${OWNER.apiKey}` }

/** One request for every kind of response, with and without a matching route. */
const REQUESTS: readonly [method: string, path: string, headers: Record<string, string>][] = [
  ['GET', DASHBOARDS, AUTHORIZED],
  ['POST', DASHBOARDS, AUTHORIZED],
  ['HEAD', DASHBOARDS, AUTHORIZED],
  ['OPTIONS', DASHBOARDS, {}],
  ['GET', DASHBOARDS, {}],
  ['GET', `${DASHBOARDS}/7`, AUTHORIZED],
  ['DELETE', `${DASHBOARDS}/7`, AUTHORIZED],
  ['PUT', DASHBOARDS, {}],
  ['TRACE', DASHBOARDS, {}],
  ['PROPFIND', DASHBOARDS, {}],
  ['GET', '/api/nothing', {}],
  ['GET', '/api/%', {}],
  ['GET', '/nothing', {}],
  ['GET', '/%', {}],
  ['GET', '/_health', {}],
  ['GET', '/_ready', {}],
  ['GET', '/metrics', {}],
  ['GET', '/docs', {}],
  ['GET', '/api/schema', {}],
  ['GET', '/shared/x.json', {}],
]

const ALLOWED = {
  [DASHBOARDS]: 'GET, HEAD, POST, OPTIONS',
  [`${DASHBOARDS}/7`]: 'GET, HEAD, PATCH, OPTIONS',
  [`${DASHBOARDS}/7/collaborators/x`]: 'DELETE, OPTIONS',
  [`${CONFIGS}/rearrange`]: 'PATCH, OPTIONS',
  [`${CONFIGS}/7/job`]: 'POST, OPTIONS',
  '/_health': 'GET, HEAD, OPTIONS',
}

const REFUSED_DELETES = new Set([`${DASHBOARDS}/7`])

const REQUEST_IDS = {
  abc: 'kept',
  '4bf92f35-77b3.4da6:a_1': 'kept',
  ['x'.repeat(100)]: 'kept',
  ['x'.repeat(101)]: 'replaced',
  '': 'replaced',
  'a b': 'replaced',
  '<script>': 'replaced',
  é: 'replaced',
}

describe('the headers', () => {
  it('of every response include security headers and a request ID', async () => {
    const { url } = await useApp()

    for (const [method, path, headers] of REQUESTS) {
      const got = await send(url, { method, path, headers })
      expect(got.status, `${method} ${path}`).toBeLessThan(500)
      expect(got.headers, `${method} ${path}`).toMatchObject(SECURITY)
      expect(got.headers['x-request-id'], `${method} ${path}`).toMatch(/^\w{8}-\w+$/)
      expect(got.headers).not.toHaveProperty('x-powered-by')
    }
  })

  it('open only the API to every origin, without cookies', async () => {
    const { url } = await useApp()

    for (const [method, path, headers] of REQUESTS) {
      const got = await send(url, { method, path, headers: { ...headers, origin: 'http://x.y' } })
      const opened = path.startsWith('/api/') ? '*' : undefined
      expect(got.headers['access-control-allow-origin'], `${method} ${path}`).toBe(opened)
      expect(got.headers).not.toHaveProperty('access-control-allow-credentials')
      expect(got.headers).not.toHaveProperty('set-cookie')
      const exposed = got.headers['access-control-expose-headers']
      expect(exposed, path).toEqual(opened && expect.stringContaining('X-Request-Id'))
    }
  })

  it('of a page allow only our scripts and no foreign frames', async () => {
    const { url } = await useApp()

    const { headers } = await fetch(`${url}/sign-in`)

    const policy = headers.get('content-security-policy')?.split('; ').toSorted()
    expect(policy).toEqual([
      ...["base-uri 'none'", "connect-src 'self'", "default-src 'none'", "font-src 'self'"],
      ...["form-action 'self'", "frame-ancestors 'self'", "img-src 'self' data:"],
      ...["object-src 'none'", "script-src 'self'"],
      expect.stringMatching(/^style-src 'self' 'nonce-[\w+/]{22}=='$/),
      "style-src-attr 'none'",
    ])
    expect(headers.get('cache-control')).toBe('no-store') // its nonce must not be reused
  })

  it('of private responses forbid shared caching', async () => {
    const api = await useApp()

    const [me, keys, list] = await Promise.all(
      ['/api/users/@me', '/api/personal_api_keys', DASHBOARDS].map((path) => api.get(path)),
    )

    expect(me?.headers.get('cache-control')).toBe('no-store')
    expect(keys?.headers.get('cache-control')).toBe('no-store')
    expect(list?.headers.get('cache-control')).toBe('private, no-cache') // revalidated by its ETag
  })

  it('allow preflight requests for every path', async () => {
    const { url } = await useApp()
    const asks = { origin: 'http://x.y', 'access-control-request-method': 'PATCH' }

    for (const path of [DASHBOARDS, `${DASHBOARDS}/`, '/api/projects/7/dashboards', '/api/no']) {
      const got = await send(url, { method: 'OPTIONS', path, headers: asks })
      expect(got, path).toMatchObject({ status: 204, text: '' })
      expect(got.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, POST, PATCH, DELETE, OPTIONS',
        'access-control-allow-headers': expect.stringMatching(/Authorization.*Content-Type/),
        'access-control-max-age': '86400',
      })
    }
  })

  it('return a valid request ID and replace an invalid one', async () => {
    const { url } = await useApp()
    const fates: Record<string, string> = {}

    for (const id of Object.keys(REQUEST_IDS)) {
      const asked = { method: 'GET', path: '/_health', headers: { 'x-request-id': id } }
      const { headers } = await send(url, asked)
      fates[id] = headers['x-request-id'] === id ? 'kept' : 'replaced'
      expect(headers['x-request-id']).toMatch(/^[\w.:-]+$/)
    }

    expect(fates).toEqual(REQUEST_IDS)
  })

  it('number the requests of a server', async () => {
    const { url } = await useApp()
    const ask = () => send(url, { method: 'GET', path: '/_health' })

    const ids = (await Promise.all([ask(), ask(), ask()])).map((got) => got.headers['x-request-id'])

    expect(new Set(ids).size).toBe(3)
  })

  it('of OPTIONS and 405 list the allowed methods', async () => {
    const { url } = await useApp()

    for (const [path, allow] of Object.entries(ALLOWED)) {
      const options = await send(url, { method: 'OPTIONS', path })
      expect(options, path).toMatchObject({ status: 204, text: '', headers: { allow } })
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']) {
        const got = await send(url, { method, path })
        const isAllowed = allow.split(', ').includes(method)
        // a DELETE that only refuses needs a key, as its permission is checked first
        const isKeyed = REFUSED_DELETES.has(path) && method === 'DELETE'
        const refused = { status: 405, headers: { allow } }
        const expected = isKeyed ? { status: 401 } : refused
        if (isAllowed) expect(got.status, path).not.toBe(405)
        else expect(got, `${method} ${path}`).toMatchObject(expected)
      }
    }
  })

  it('of HEAD equal those of GET', async () => {
    const api = await useApp()
    const { body } = await api.post(DASHBOARDS, { name: 'One' })
    const asked = { path: `${DASHBOARDS}/${body.id}`, headers: AUTHORIZED }

    const head = await send(api.url, { method: 'HEAD', ...asked })

    const get = await send(api.url, { method: 'GET', ...asked })
    expect(head).toMatchObject({ status: 200, text: '' })
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control']) {
      expect(head.headers[name], name).toBe(get.headers[name])
    }
  })
})
