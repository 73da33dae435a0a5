import { describe, expect, it } from 'vitest'
import { AUTHORIZED } from '../../../test/contract/hostile-requests.ts'
import { send } from '../../../test/contract/raw.ts'
import { cookieOf, type TestApp, useApp } from '../../../test/support/app/app.ts'
import { OWNER } from '../../../test/support/app/owner.ts'
import { installPlugin } from '../../../test/support/app/plugin.ts'
import { above, COUNT_ORDERS } from '../../../test/support/data/alerts.ts'
import { createDashboard } from '../../../test/support/data/dashboards.ts'
import { createInsight } from '../../../test/support/data/insights.ts'

const MCP = '/mcp'
const message = (method: string, params?: unknown) => ({ jsonrpc: '2.0', id: 1, method, params })
const call = (name: unknown, args?: unknown) => message('tools/call', { name, arguments: args })
const META = 'io.modelcontextprotocol'
const meta = (version: unknown, more: object = { [`${META}/clientCapabilities`]: {} }) => ({
  _meta: { [`${META}/protocolVersion`]: version, ...more },
})
const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))

async function post(api: TestApp, body: unknown, headers: Record<string, string> = {}) {
  const { status, body: response } = await api.post(MCP, body, headers)
  return { status, ...response }
}

describe('a message', () => {
  it.each([
    ['a batch', [message('ping')], 400],
    ['no object', 'null', 400],
    ['no JSON', '{"jsonrpc":', 400],
    ['another version of JSON-RPC', { ...message('ping'), jsonrpc: '1.0' }, 400],
    ['an ID that is null', { ...message('ping'), id: null }, 400],
    ['an ID that is a list', { ...message('ping'), id: [1] }, 400],
    ['no method', { jsonrpc: '2.0', id: 1 }, 400],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }, 400],
    ['params that are a list', { ...message('ping'), params: [] }, 400],
    ['deep nesting', message('tools/call', { name: 'x', arguments: { a: nested(99) } }), 400],
    ['a NUL character', message('tools/call', { name: 'a\0b' }), 400],
    ['half a character', message('tools/call', { name: '\ud800' }), 400],
    ['too many bytes', message('tools/call', { name: 'a'.repeat(2 ** 20) }), 413],
    ['too many values', message('tools/call', { name: Array(40_001).fill(0) }), 413],
  ])('with %s is refused', async (_, body, status) => {
    const api = await useApp()

    expect(await post(api, body)).toMatchObject({ status, detail: expect.any(String) })
  })

  it('of another type is refused', async () => {
    const api = await useApp()

    const { status } = await post(api, 'ping', { 'content-type': 'text/plain' })

    expect(status).toBe(415)
  })

  it.each([
    ['an unknown method', message('resources/list'), -32601],
    ['a method of every object', message('constructor'), -32601],
    ['no tool', call(undefined), -32602],
    ['a tool that is a number', call(5), -32602],
    ['an unknown tool', call('toString'), -32602],
    ['arguments that are a list', call('projects-get', []), -32602],
    ['arguments that are text', call('projects-get', 'all'), -32602],
  ])('with %s gets an error of JSON-RPC', async (_, body, code) => {
    const api = await useApp()

    expect(await post(api, body)).toMatchObject({ status: 200, id: 1, error: { code } })
  })

  it.each([
    ['an unknown argument', 'dashboards-get-all', { query: 'x' }, /no argument "query"/],
    ['an argument of every object', 'dashboards-get-all', { constructor: 'x' }, /no argument/],
    ['a missing ID', 'dashboard-get', {}, /"id" is required/],
    ['an ID that is an object', 'dashboard-get', { id: {} }, /must be an ID/],
    ['an empty ID', 'dashboard-get', { id: '' }, /must be an ID/],
    ['an endless ID', 'dashboard-get', { id: 'a'.repeat(500_000) }, /must be an ID/],
    ['an ID that leaves the path', 'alert-delete', { id: '..' }, /must be an ID/],
    ['a project that leaves the path', 'dashboards-get-all', { project_id: '..' }, /must be an ID/],
    ['an ID with a slash', 'dashboard-get', { id: '../../../projects' }, /Not found/],
    ['an encoded ID', 'alert-delete', { id: '%2e%2e' }, /Not found/],
    ['a parameter that is an object', 'dashboards-get-all', { search: {} }, /must be a text/],
    ['a limit that is text', 'dashboards-get-all', { limit: 'all' }, /^limit: A valid integer/],
    ['a body of the wrong type', 'dashboard-create', { name: 5 }, /^name: /],
    ['an invalid query', 'query-trends', { series: 'all' }, /^query__series: Expected a list/],
    ['SQL that is no query', 'execute-sql', { query: 'drop table events' }, /./],
  ])('that calls a tool with %s gets a result that says so', async (_, name, args, text) => {
    const api = await useApp()
    const body = JSON.stringify(call(name, args))

    const { status, result } = await post(api, body)

    expect({ status, ...result }).toMatchObject({
      ...{ status: 200, isError: true },
      content: [{ type: 'text', text: expect.stringMatching(text) }],
    })
  })

  it('that is a notification gets no response', async () => {
    const api = await useApp()

    const { status, text } = await api.post(MCP, {
      jsonrpc: '2.0',
      method: 'notifications/initialized',
    })

    expect({ status, text }).toEqual({ status: 202, text: '' })
  })
})

describe('the version of a message', () => {
  const stateless = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'projects-get',
  }
  const params = { name: 'projects-get', ...meta('2026-07-28') }

  it.each([
    ['nothing', {}, {}, undefined],
    ['an older version', { 'mcp-protocol-version': '2025-06-18' }, {}, undefined],
    ['the newest', stateless, params, undefined],
    [
      'an encoded name',
      { ...stateless, 'mcp-name': '=?base64?cHJvamVjdHMtZ2V0?=' },
      params,
      undefined,
    ],
    ['an unknown version', { 'mcp-protocol-version': '1900-01-01' }, {}, -32022],
    ['an unknown version in the body', stateless, { ...params, ...meta('1900-01-01') }, -32022],
    ['a version that is an object', stateless, { ...params, ...meta({}) }, -32022],
    ['no version in the body', stateless, { _meta: {} }, -32020],
    [
      'no version in the header',
      { ...stateless, 'mcp-protocol-version': '2025-11-25' },
      params,
      -32020,
    ],
    ['another method', { ...stateless, 'mcp-method': 'tools/list' }, params, -32020],
    ['another tool', { ...stateless, 'mcp-name': 'alerts-list' }, params, -32020],
    ['no capabilities', stateless, { ...params, ...meta('2026-07-28', {}) }, -32602],
  ])('is checked: %s', async (_, headers, more, code) => {
    const api = await useApp()

    const answered = await post(
      api,
      message('tools/call', { name: 'projects-get', ...more }),
      headers,
    )

    const status = code === undefined || code === -32602 ? 200 : 400
    expect(answered).toMatchObject({ status, ...(code ? { error: { code } } : { result: {} }) })
  })

  it('decides how an unknown method is answered', async () => {
    const api = await useApp()
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'ping' }

    const answered = await post(api, message('ping', meta('2026-07-28')), headers)

    expect(answered).toMatchObject({ status: 404, error: { code: -32601 } })
  })
})

describe('a caller', () => {
  it('without a key is told how to send one', async () => {
    const api = await useApp()

    const { status, headers } = await api.withKey(undefined).post(MCP, message('ping'))

    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toMatch(/^Bearer realm=.*personal API key/)
  })

  it('with a session is refused', async () => {
    const api = await useApp()
    const browser = await api.withSession()

    const { status, headers } = await browser.post(MCP, message('ping'))

    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toMatch(/personal API key/)
  })

  it('with a session and a key is the owner of the key', async () => {
    const api = await useApp()
    const { token } = await api.withSession()
    const reader = await api.as({ scopes: ['dashboard:read'] })

    const { body } = await reader.post(MCP, call('insights-list'), cookieOf(token))

    expect(body.result).toMatchObject({ isError: true, content: [{ text: /insight:read/ }] })
  })

  it.each([
    ['a page of another site', 'https://evil.example', 403],
    ['a page whose name was resolved to this server', 'http://evil.example:8000', 403],
    ['a page without an origin', 'null', 403],
    ['a page of a name that begins like this machine', 'http://localhost.evil.example', 403],
    ['a page of this machine', 'http://localhost:6274', 200],
    ['no page', '', 200],
  ])('that is %s (%j) gets %i', async (_, origin, status) => {
    const api = await useApp()
    const page = origin && { origin, host: origin.replace(/^https?:\/\//, '') }
    const headers = { ...AUTHORIZED, 'content-type': 'application/json', ...page }
    const body = JSON.stringify(message('ping'))

    // fetch would send the host of the address
    const answered = await send(api.url, { method: 'POST', path: MCP, headers, body })

    expect(answered.status).toBe(status)
  })

  it.each(['GET', 'DELETE', 'PUT'])('cannot use %s', async (method) => {
    const api = await useApp()

    const { status, headers } = await api.request(method, MCP)

    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'POST, OPTIONS' })
  })
})

describe('a result', () => {
  it('that is a long list has as many items as fit, and says so', async () => {
    const api = await useApp()
    for (let n = 0; n < 30; n++) {
      await createDashboard(api, { name: `Dashboard ${n}`, description: 'x'.repeat(3000) })
    }

    const { result } = await post(api, call('dashboards-get-all', { project_id: api.projectId }))

    const [list, note] = result.content.map(({ text }: { text: string }) => text)
    expect(list.length).toBeLessThanOrEqual(60_000)
    const { count, results } = JSON.parse(list)
    expect(count).toBe(30)
    expect(results.length).toBeGreaterThan(15)
    expect(note).toBe(
      `Cut: these are the first ${results.length} of 30 results. Request fewer, or the next ones.`,
    )
  })

  it('that is one long text is cut, and says so', async () => {
    const api = await useApp()
    const tiles = Array.from({ length: 20 }, () => ({ text: { body: '€'.repeat(4000) } }))
    const { id } = await createDashboard(api, { tiles })

    const { result } = await post(api, call('dashboard-get', { id, project_id: api.projectId }))

    const [text, note] = result.content.map((part: { text: string }) => part.text)
    expect(text).toHaveLength(60_000)
    expect(note).toMatch(
      /^Cut: these are the first 60000 of \d+ characters\. Narrow the request\.$/,
    )
  })

  it('never has a secret', async () => {
    const api = await useApp()
    const secret = 'correct-horse-battery'
    const plugin = await installPlugin(api.db, {
      config_schema: [{ key: 'token', type: 'string', secret: true }],
    })
    const ask = (name: string, args: object) =>
      post(api, call(name, { project_id: api.projectId, ...args }))
    const created = await ask('import-config-create', { plugin, config: { token: secret } })
    const { id } = JSON.parse(created.result.content[0].text)

    const answers = [
      created,
      await ask('import-config-get', { id }),
      await ask('import-configs-list', {}),
      await ask('import-settings-get', { id }),
      await ask('import-settings-update', { id, settings: { token: `${secret}-2` } }),
    ]

    expect(answers.map(({ result }) => result.isError)).toEqual(answers.map(() => undefined))
    expect(JSON.stringify(answers)).not.toContain(secret)
    expect(JSON.stringify(answers)).not.toContain(OWNER.apiKey)
  })

  it('has no secret with which an alert signs', async () => {
    const api = await useApp()
    const { id: insight } = await createInsight(api, { query: COUNT_ORDERS })
    const targets = [{ type: 'webhook', url: 'https://example.com' }]
    const alert = { project_id: api.projectId, insight, ...above(1), targets }

    const { result } = await post(api, call('alert-create', alert))

    const created = JSON.parse(result.content[0].text)
    expect(created).toMatchObject({ insight: { id: insight }, targets })
    expect(created).not.toHaveProperty('signing_secret')
  })
})
