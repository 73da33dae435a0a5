import { describe, expect, it, onTestFinished } from 'vitest'
import { buildApp } from '#server/app.ts'
import { OWNER } from '../support/app/owner.ts'
import { startServices } from '../support/app/storage.ts'
import { DASHBOARDS } from './paths.ts'
import { send } from './raw.ts'

const AUTHORIZED = { authorization: `Bearer ${OWNER.apiKey}` }
const JSON_TYPE = { 'content-type': 'application/json' }

type Headers = Record<string, string | string[]>

async function start(trustedProxy: string | undefined, host = '127.0.0.1') {
  const services = await startServices()
  const app = buildApp({ services, config: { logLevel: 'silent', trustedProxy } })
  onTestFinished(() => app.close())
  await app.listen({ host, port: 0 })
  const { port } = app.server.address() as { port: number }
  const url = `http://127.0.0.1:${port}`
  const { api_token } = JSON.parse(
    (await send(url, { method: 'GET', path: '/api/projects/1', headers: AUTHORIZED })).text,
  )
  return { url, token: api_token as string }
}

type Started = Awaited<ReturnType<typeof start>>

/** Sends an event and returns the address that is stored with it. */
async function findAddress({ url, token }: Started, headers: Headers): Promise<string> {
  const event = crypto.randomUUID()
  const body = JSON.stringify({ token, event, distinct_id: 'a' })
  const sent = await send(url, {
    method: 'POST',
    path: '/e',
    headers: { ...JSON_TYPE, ...headers },
    body,
  })
  expect(sent.status).toBe(200)
  const path = `/api/projects/1/events?event=${event}`
  const { text } = await send(url, { method: 'GET', path, headers: AUTHORIZED })
  return JSON.parse(text).results[0].properties.$ip
}

const from = (...chain: string[]): Headers => ({ 'x-forwarded-for': chain.join(', ') })

describe('the address of a client', () => {
  it('is read from the right end of the chain, behind every trusted proxy', async () => {
    const started = await start('127.0.0.1, 10.0.0.0/8, fd00::/8')
    const table: [string, Headers, string][] = [
      ['one proxy', from('203.0.113.7'), '203.0.113.7'],
      ['a forged entry before it', from('198.51.100.9', '203.0.113.7'), '203.0.113.7'],
      ['several proxies', from('203.0.113.7', '10.0.0.3', '10.9.9.9'), '203.0.113.7'],
      ['a forged trusted address', from('10.0.0.1', '203.0.113.7', '10.0.0.3'), '203.0.113.7'],
      ['only trusted addresses', from('10.0.0.1', '10.0.0.2'), '10.0.0.1'],
      ['IPv6', from('2001:db8::7', 'fd00::1'), '2001:db8::7'],
      ['a mapped address', from('::ffff:203.0.113.7'), '203.0.113.7'],
      ['a port', from('203.0.113.7:4711'), '203.0.113.7'],
      ['an IPv6 port', from('[2001:db8::7]:4711'), '2001:db8::7'],
      ['brackets', from('[2001:db8::7]'), '2001:db8::7'],
      ['a port of a proxy', from('203.0.113.7', '10.0.0.3:443'), '203.0.113.7'],
      ['a word', from('unknown'), '127.0.0.1'],
      ['a word in the middle', from('198.51.100.9', 'unknown', '203.0.113.7'), '203.0.113.7'],
      ['a word behind a proxy', from('198.51.100.9', 'unknown', '10.0.0.3'), '10.0.0.3'],
      ['nothing', from(''), '127.0.0.1'],
      ['commas', from(',', ',,'), '127.0.0.1'],
      ['HTML', from('<script>alert(1)</script>'), '127.0.0.1'],
      ['SQL', from("1.2.3.4'; drop table users; --"), '127.0.0.1'],
      ['a number', from('3405803783'), '127.0.0.1'],
      ['an octal address', from('0313.0.0161.7'), '127.0.0.1'],
      ['a range', from('203.0.113.0/24'), '127.0.0.1'],
      ['a long chain', from(...Array(800).fill('198.51.100.9'), '203.0.113.7'), '203.0.113.7'],
      ['two headers', { 'x-forwarded-for': ['198.51.100.9', '203.0.113.7'] }, '203.0.113.7'],
      ['other headers', { forwarded: 'for=198.51.100.9', 'x-real-ip': '1.1.1.1' }, '127.0.0.1'],
    ]

    for (const [name, headers, address] of table) {
      expect(await findAddress(started, headers), name).toBe(address)
    }
  })

  it.each([
    [undefined, '127.0.0.1'],
    ['10.0.0.0/8', '127.0.0.1'],
    ['::1', '127.0.0.1'],
  ])('is the peer itself unless it is trusted (%s)', async (trusted, address) => {
    const started = await start(trusted)

    expect(await findAddress(started, from('203.0.113.7'))).toBe(address)
    expect(await findAddress(started, from('203.0.113.7', '10.0.0.1'))).toBe(address)
  })

  it('is found behind a proxy that connects over a socket for IPv6', async () => {
    const started = await start('127.0.0.1', '::')

    expect(await findAddress(started, from('203.0.113.7'))).toBe('203.0.113.7')
  })
})

describe('wrong passwords', () => {
  const tryOften = async ({ url }: Started, toHeaders: (attempt: number) => Headers) => {
    const statuses: number[] = []
    for (let attempt = 1; attempt <= 11; attempt++) {
      const body = JSON.stringify({ email: OWNER.email, password: 'wrong wrong wrong' })
      const headers = { ...JSON_TYPE, ...toHeaders(attempt) }
      statuses.push(
        (await send(url, { method: 'POST', path: '/api/sign_in', headers, body })).status,
      )
    }
    return statuses.at(-1)
  }

  it.each<[string, string | undefined, (attempt: number) => Headers, number]>([
    ['forged addresses', undefined, (n) => from(`203.0.113.${n}`), 429],
    [
      'forged addresses before the real one',
      '127.0.0.1',
      (n) => from(`198.51.100.${n}`, '203.0.113.7'),
      429,
    ],
    ['other ports', '127.0.0.1', (n) => from(`203.0.113.7:${n}`), 429],
    ['other words', '127.0.0.1', (n) => from(`word${n}`), 429],
    ['other addresses of an IPv6 network', '127.0.0.1', (n) => from(`2001:db8::${n}`), 429],
    ['other clients', '127.0.0.1', (n) => from(`203.0.113.${n}`), 400],
  ])('count together or not with %s', async (_, trusted, toHeaders, expected) => {
    expect(await tryOften(await start(trusted), toHeaders)).toBe(expected)
  })
})

describe('the origin that a proxy forwards', () => {
  const HTTPS = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'example.com' }

  async function signIn({ url }: Started, headers: Headers) {
    const body = JSON.stringify({ email: OWNER.email, password: OWNER.password })
    const sent = { ...JSON_TYPE, ...headers }
    const response = await send(url, { method: 'POST', path: '/api/sign_in', headers: sent, body })
    expect(response.status).toBe(204)
    return String(response.headers['set-cookie'])
  }

  it('makes cookies secure, and only from a trusted proxy', async () => {
    const trusted = await start('127.0.0.1')
    const direct = await start(undefined)

    expect(await signIn(trusted, HTTPS)).toMatch(/__Host-hedgerow_session=\w+.*; Secure/)
    expect(await signIn(trusted, { 'x-forwarded-proto': 'HTTPS' })).toContain('; Secure')
    expect(await signIn(trusted, { 'x-forwarded-proto': 'https, http' })).not.toContain('; Secure')
    expect(await signIn(trusted, { 'x-forwarded-proto': 'wss' })).not.toContain('; Secure')
    expect(await signIn(direct, HTTPS)).not.toContain('; Secure')
  })

  it('never leads to another protocol or to something that is no host', async () => {
    const { url } = await start('127.0.0.1')
    const page = (headers: Headers) =>
      send(url, {
        method: 'GET',
        path: `${DASHBOARDS}?limit=1`,
        headers: { ...AUTHORIZED, ...headers },
      })
    for (let count = 0; count < 2; count++) {
      await send(url, { method: 'POST', path: DASHBOARDS, headers: AUTHORIZED })
    }
    const readNext = async (headers: Headers) => JSON.parse((await page(headers)).text).next

    for (const protocol of ['javascript', 'ftp', '', 'https://evil.example/?', 'file']) {
      const next = await readNext({ ...HTTPS, 'x-forwarded-proto': protocol })
      expect(next, protocol).toMatch(/^http:\/\/example\.com\/api\//)
    }
    expect(await readNext({ ...HTTPS, 'x-forwarded-host': 'evil.example, example.com' })).toMatch(
      /^https:\/\/example\.com\//,
    )
    for (const host of ['a/b', 'a@b', 'a b', '"a"', '<a>', 'a:b', 'a:1:2', '?', '#', 'é']) {
      const response = await page({ 'x-forwarded-host': Buffer.from(host).toString('latin1') })
      expect(response.status, host).toBe(400)
    }
    for (const host of ['a/b', 'a@b', 'a b', '<a>', 'a:b']) {
      expect((await page({ host })).status, host).toBe(400)
    }
  })
})
