import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FAILURES_PER_MINUTE } from '#server/access/throttle.ts'
import { startApp, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard } from '../../../../test/support/data/dashboards.ts'
import {
  createEmbedSecret,
  inSeconds,
  signEmbed,
  signWithKey,
} from '../../../../test/support/data/embeds.ts'
import { visits } from '../../../../test/support/data/visits.ts'

const SECRETS = 'embed_secrets'
const SETTINGS = 'embed_settings'

async function start(app?: TestApp) {
  const api = app ?? (await useApp())
  const secret = await createEmbedSecret(api)
  const { id: dashboard } = await createDashboard(api, {
    name: 'Sales',
    tiles: [{ insight: { name: 'Visits', query: visits() } }],
  })
  const visitor = api.withKey(undefined)
  const open = (token: string, rest = '') => visitor.get(`/embedded/${token}${rest}`)
  const sign = (claims: object = {}, header = {}) =>
    signEmbed(secret, { dashboard, ...claims }, header)
  return { api, secret, dashboard, open, sign }
}

describe('secrets of embeds', () => {
  it('are created with a value that is shown once and stored encrypted', async () => {
    const api = await useApp()

    const { status, body } = await api.post(SECRETS)
    const { body: list } = await api.get(SECRETS)
    const rows = await api.db.selectFrom('embed_secrets').selectAll().execute()
    const { body: log } = await api.get('activity_log?scope=Project')

    expect(status).toBe(201)
    expect(body.secret).toMatch(/^hes_\w{43}$/)
    expect(list).toMatchObject({ count: 1, results: [{ id: body.id, kid: body.kid }] })
    expect(JSON.stringify([list, rows, log])).not.toContain(body.secret)
    expect(log.results[0]).toMatchObject({ activity: 'embed secret created' })
  })

  it('are two at most, so that one can replace the other', { tags: 'sql' }, async () => {
    const { api, secret, open, sign } = await start()
    const second = await createEmbedSecret(api)

    const third = await api.post(SECRETS)
    const both = [
      await open(sign()),
      await open(signEmbed(second, { dashboard: (await dashboardOf(api)).id })),
    ]
    const revoked = await api.delete(`${SECRETS}/${secret.id}`)
    const after = await open(sign())

    expect(third).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect([revoked.status, after.status]).toEqual([204, 401])
    expect((await api.get('activity_log?scope=Project')).body.results[0]).toMatchObject({
      activity: 'embed secret revoked',
    })
  })

  it('are managed by admins only, and not across projects', async () => {
    const { api, secret } = await start()
    const member = await api.as({})
    const other = await api.createProject()

    for (const path of [SECRETS, SETTINGS]) {
      expect((await member.get(path)).status).toBe(403)
    }
    expect((await member.post(SECRETS)).status).toBe(403)
    expect((await member.patch(SETTINGS, {})).status).toBe(403)
    expect((await api.delete(api.path(`${SECRETS}/${secret.id}`, other))).status).toBe(404)
    expect((await api.get(SECRETS)).body.count).toBe(1)
  })

  it('say when they were last used', async () => {
    const { api, open, sign } = await start()
    const used = async () => (await api.get(SECRETS)).body.results[0].last_used_at

    expect(await used()).toBeNull()
    await open(sign())
    expect(Date.now() - Date.parse(await used())).toBeLessThan(60_000)
  })
})

const dashboardOf = async (api: TestApp) => (await api.get('dashboards')).body.results[0]

describe('the settings of embeds', () => {
  it('are changed field by field, and logged', { tags: 'sql' }, async () => {
    const api = await useApp()
    const jwks_url = 'https://example.com/keys.json'

    expect((await api.get(SETTINGS)).body).toEqual({ jwks_url: null, embed_origins: null })
    await api.patch(SETTINGS, { jwks_url })
    const { body } = await api.patch(SETTINGS, { embed_origins: ['https://example.com/'] })

    expect(body).toEqual({ jwks_url, embed_origins: ['https://example.com'] })
    expect((await api.get(SETTINGS)).body).toEqual(body)
    const { results } = (await api.get('activity_log?scope=Project')).body
    expect(results[0]).toMatchObject({
      activity: 'embed settings changed',
      detail: { changes: [{ field: 'embed_origins', after: ['https://example.com'] }] },
    })
  })

  it.each([
    [{ jwks_url: 'http://example.com/keys' }, 'jwks_url'],
    [{ jwks_url: 'https://me@example.com/keys' }, 'jwks_url'],
    [{ jwks_url: 'https://10.0.0.1/keys' }, 'jwks_url'],
    [{ jwks_url: 'keys' }, 'jwks_url'],
    [{ embed_origins: ['https://example.com/a'] }, 'embed_origins__0'],
  ])('refuse %j', async (body, attr) => {
    const api = await useApp()

    expect(await api.patch(SETTINGS, body)).toMatchObject({ status: 400, body: { attr } })
  })

  it('decide which pages may frame an embed: any, or those that are listed', async () => {
    const { api, open, sign } = await start()
    const read = async () => {
      const { headers } = await open(sign())
      return [
        headers.get('content-security-policy')?.match(/frame-ancestors (.*)/)?.[1],
        headers.get('x-frame-options'),
      ]
    }

    expect(await read()).toEqual(['*', null])
    await api.patch(SETTINGS, { embed_origins: ['https://a.example', 'https://b.example'] })
    expect(await read()).toEqual(['https://a.example https://b.example', null])
    await api.patch(SETTINGS, { embed_origins: [] })
    expect(await read()).toEqual(["'none'", null])
  })
})

describe('a signed embed', () => {
  it('shows the dashboard of its token, with its data and files', async () => {
    const { open, sign } = await start()
    const token = sign({ iss: 'shop', sub: 'ann', aud: 'hedgerow', jti: '1', iat: inSeconds(0) })

    const page = await open(token)
    const data = await open(token, '.json')
    const csv = await open(token, '.csv')
    const state = await open(token, '/state')

    expect([page, data, csv, state].map(({ status }) => status)).toEqual([200, 200, 200, 204])
    expect(page.text).toContain('<h1>Sales</h1>')
    expect(page.text).toContain(`href="/embedded/${token}.csv"`)
    expect(data.body.dashboard.tiles[0].insight.name).toBe('Visits')
    expect((await open(token, '.xls')).status).toBe(404)
  })

  it('shows an insight, by its ID or short ID', async () => {
    const { api, secret, open } = await start()
    const { body } = await api.post('insights', { name: 'Alone', query: visits() })

    for (const insight of [body.id, body.short_id]) {
      const { status, text } = await open(signEmbed(secret, { insight }))
      expect([status, text.includes('<h1>Alone</h1>')]).toEqual([200, true])
    }
  })

  it('has the theme of its token', async () => {
    const { open, sign } = await start()
    const themeOf = async (theme?: string) =>
      (await open(sign({ theme }), '?theme=light')).text.match(/data-theme="(\w+)"/)?.[1]

    expect([await themeOf(), await themeOf('dark'), await themeOf('auto')]).toEqual([
      'light',
      'dark',
      undefined,
    ])
  })

  it('says the same of every token that does not count', async () => {
    const app = await startApp()
    const { api, secret, dashboard, open, sign } = await start(app)
    const foreign = { kid: secret.kid, secret: 'guessed' }
    const [head, , signature] = sign().split('.')
    const none = Buffer.from(JSON.stringify({ alg: 'none', kid: secret.kid })).toString('base64url')
    const claims = Buffer.from(JSON.stringify({ dashboard, exp: inSeconds(60) })).toString(
      'base64url',
    )
    const tokens = [
      sign({ exp: inSeconds(-1) }),
      sign({ nbf: inSeconds(600) }),
      sign({}, { kid: 'emb_unknown' }),
      sign({}, { kid: undefined }),
      sign({}, { alg: 'none' }),
      sign({}, { alg: 'HS512' }),
      sign({}, { crit: ['x'], x: 1 }),
      `${none}.${claims}.`,
      `${head}.${claims}.${signature}`,
      signEmbed(foreign, { dashboard }),
      'a.b.c',
      'a..',
      `${'a'.repeat(9000)}.b.c`,
    ]

    const said = new Set<string>()
    for (const token of tokens) {
      const [page, data] = [await open(token), await open(token, '.json')]
      expect([token, page.status, data.status]).toEqual([token, 401, 401])
      expect(page.text).not.toContain('Sales')
      said.add(page.text).add(JSON.stringify(data.body))
    }
    expect(said.size).toBe(2)
    expect([...said].join()).toContain('Reload the page that shows it.')
    expect((await open(sign())).status).toBe(200)
    expect((await api.get('/embedded/a.b.c')).headers.get('content-security-policy')).toContain(
      'frame-ancestors *',
    )
  })

  it('throttles networks that send wrong tokens, but not ended ones', async () => {
    const { open, sign } = await start(await startApp())
    const ended = sign({ exp: inSeconds(-1) })

    for (let n = 0; n < FAILURES_PER_MINUTE; n++) await open(ended, '/state')
    expect((await open(sign())).status).toBe(200)
    for (let n = 0; n < FAILURES_PER_MINUTE; n++) await open('a.b.c', '/state')
    const { status, headers } = await open(sign())

    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true])
  })

  it.each([
    [{ exp: undefined }, 'exp'],
    [{ exp: inSeconds(25 * 3600) }, 'exp'],
    [{ exp: 'tomorrow' }, null],
    [{ iat: inSeconds(3600) }, 'iat'],
    [{ insight: 1 }, 'dashboard'],
    [{ dashboard: undefined }, 'dashboard'],
    [{ dashboard: '7' }, 'dashboard'],
    [{ filter: {} }, 'filter'],
    [{ filters: {} }, 'filters'],
    [{ filters: { properties: [] } }, 'filters__properties'],
    [{ filters: { property: [] } }, 'filters__property'],
    [{ filters: { properties: [{ key: 'tenant' }] } }, 'filters__properties__0__value'],
    [{ filters: { properties: [{ key: 'tenant', value: [] }] } }, 'filters__properties__0__value'],
    [
      { filters: { properties: [{ key: 'tenant', value: null }] } },
      'filters__properties__0__value',
    ],
    [
      { filters: { properties: [{ key: 'a', value: 1, values: [2] }] } },
      'filters__properties__0__values',
    ],
    [{ filters: { date_from: '-7d' } }, 'filters__date_from'],
    [{ filters: { date_from: '2026-03-02', date_to: '2026-03-01' } }, 'filters__date_to'],
    [{ viewer_filters: { date: true } }, 'viewer_filters__date'],
    [
      { viewer_filters: { properties: [{ key: 'a' }, { key: 'a' }] } },
      'viewer_filters__properties__1',
    ],
    [{ theme: 'blue' }, 'theme'],
    [{ __proto__: 1, constructor: 1 }, 'constructor'],
  ])('refuses %j by name once the signature is right', async (claims, attr) => {
    const { open, sign } = await start()

    const data = await open(sign(claims), '.json')
    const page = await open(sign(claims))

    const status = attr === null ? 401 : 400
    expect([data.status, data.body.attr, page.status]).toEqual([status, attr, status])
    if (attr) expect(page.text).toContain(attr)
  })

  it("opens nothing of another project, and nothing that doesn't exist", async () => {
    const { api, secret, dashboard, open } = await start()
    const other = await api.createProject()
    const path = api.path('dashboards', other)
    const { body: foreign } = await api.post(path, { name: 'Foreign' })
    const { body: insight } = await api.post(api.path('insights', other), { query: visits() })
    await api.patch(`dashboards/${dashboard}`, { deleted: true })

    for (const claims of [
      { dashboard: foreign.id },
      { insight: insight.id },
      { insight: insight.short_id },
      { dashboard: 9_000_000 },
      { dashboard },
    ]) {
      const { status, text } = await open(signEmbed(secret, claims))
      expect([claims, status, text.includes('Foreign')]).toEqual([claims, 404, false])
    }
  })

  it('leaves the frames of public links as they are', async () => {
    const { api, dashboard } = await start()
    const sharing = `dashboards/${dashboard}/sharing`
    const { body } = await api.patch(sharing, { enabled: true })

    const { status, text } = await api.withKey(undefined).get(`/embedded/${body.access_token}`)

    expect([status, text.includes(`/shared/${body.access_token}.csv`)]).toEqual([200, true])
  })
})

/** Serves public keys, and counts how often they are asked for. */
async function serveKeys() {
  const keys = new Map<string, object>()
  let requests = 0
  let status = 200
  const server = createServer((_, response) => {
    requests++
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ keys: [...keys.values()] }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
  const add = (kid: string, modulusLength = 2048) => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength })
    keys.set(kid, { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' })
    return { privateKey, pem: publicKey.export({ type: 'spki', format: 'pem' }) as string }
  }
  return { url, add, requests: () => requests, answer: (code: number) => (status = code) }
}

describe('an embed signed with RS256', () => {
  it('is verified by the keys of its project, which are fetched once', async () => {
    const { api, dashboard, open } = await start(
      await startApp(undefined, { HEDGEROW_APP_HOSTS: '127.0.0.1' }),
    )
    const keys = await serveKeys()
    const { privateKey, pem } = keys.add('a')
    const token = signWithKey(privateKey, 'a', { dashboard })

    expect((await open(token)).status).toBe(401)
    await api.patch(SETTINGS, { jwks_url: keys.url })
    const opened = [await open(token), await open(token, '.json')]

    expect(opened.map(({ status }) => status)).toEqual([200, 200])
    expect(keys.requests()).toBe(1)
    // a public key is no secret
    for (const kid of ['a', 'emb_a']) {
      expect((await open(signEmbed({ kid, secret: pem }, { dashboard }))).status).toBe(401)
    }
    const { privateKey: stranger } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    for (let n = 0; n < 5; n++) {
      expect((await open(signWithKey(stranger, `unknown ${n}`, { dashboard }))).status).toBe(401)
    }
    expect((await open(signWithKey(stranger, 'a', { dashboard }))).status).toBe(401)
    expect(keys.requests()).toBe(1)
  })

  it('is refused for dashboards of projects that other keys sign for', async () => {
    const { api, dashboard, open } = await start(
      await startApp(undefined, { HEDGEROW_APP_HOSTS: '127.0.0.1' }),
    )
    const [own, foreign] = [await serveKeys(), await serveKeys()]
    const signer = foreign.add('a').privateKey
    own.add('a')
    const other = await api.createProject()
    await api.patch(SETTINGS, { jwks_url: own.url })
    await api.patch(api.path(SETTINGS, other), { jwks_url: foreign.url })

    expect((await open(signWithKey(signer, 'a', { dashboard }))).status).toBe(401)
  })

  it('asks for keys that cannot be fetched only now and then', async () => {
    const { api, dashboard, open } = await start(
      await startApp(undefined, { HEDGEROW_APP_HOSTS: '127.0.0.1' }),
    )
    const keys = await serveKeys()
    const { privateKey } = keys.add('a')
    keys.answer(500)
    await api.patch(SETTINGS, { jwks_url: keys.url })

    for (let n = 0; n < 5; n++) {
      expect((await open(signWithKey(privateKey, 'a', { dashboard }))).status).toBe(401)
    }

    expect(keys.requests()).toBe(1)
  })

  it('never reaches private addresses', async () => {
    const app = await startApp()
    const { dashboard, open } = await start(app)
    const keys = await serveKeys()
    const { privateKey } = keys.add('a')
    const row = { project_id: app.projectId, jwks_url: keys.url, embed_origins: null }
    await app.db.insertInto('embed_settings').values(row).execute()

    expect((await open(signWithKey(privateKey, 'a', { dashboard }))).status).toBe(401)
    expect(keys.requests()).toBe(0)
  })
})

describe('embed.js', () => {
  it('is smaller than 3 kB and loads from pages of other sites', async () => {
    const api = await useApp()

    const { status, text, headers } = await api.withKey(undefined).get('/embed.js')

    expect([status, headers.get('cross-origin-resource-policy')]).toEqual([200, 'cross-origin'])
    expect(Buffer.byteLength(text)).toBeLessThan(3000)
    expect(text).toContain('hedgerowEmbed')
  })
})
