import { createHmac, createPublicKey, type webcrypto } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startApp } from '../../../../../test/support/app/app.ts'
import { OWNER } from '../../../../../test/support/app/owner.ts'
import {
  type OidcBehavior,
  type OidcEndpoints,
  startOidcProvider,
} from '../../../../../test/support/servers/oidc-provider.ts'

const VERIFIED = { email: OWNER.email, email_verified: true }
const FAILED = '/sign-in?problem=failed'
const UNVERIFIED = '/sign-in?problem=unverified_email'
const UNKNOWN = '/sign-in?problem=unknown_email'

const visit = (url: string, cookie = '') => fetch(url, { redirect: 'manual', headers: { cookie } })

const cookieIn = (response: Response) => response.headers.get('set-cookie')?.split(';', 1)[0] ?? ''

async function start(endpoints: OidcEndpoints = {}) {
  const provider = await startOidcProvider(endpoints)
  return { provider, api: await startApp(undefined, provider.env) }
}

type Started = Awaited<ReturnType<typeof start>>

/** Goes to the provider and back, as a browser does, and returns where it ends. */
async function signIn({ api, provider }: Started, behavior: OidcBehavior): Promise<string | null> {
  provider.behave(behavior)
  const out = await visit(`${api.url}/sign-in/oidc`)
  const there = await visit(out.headers.get('location') ?? '')
  const home = await visit(there.headers.get('location') ?? '', cookieIn(out))
  const hasSession = home.headers.getSetCookie().some((cookie) => /session=\w/.test(cookie))
  const location = home.headers.get('location')
  expect(hasSession).toBe(location === '/')
  return location
}

type Keys = { readonly keys: readonly webcrypto.JsonWebKey[] }

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString())

/** Signs the claims of a token with a secret. */
const signWithSecret = (secret: string | Buffer) => (token: string) => {
  const [header, claims] = token.split('.')
  const signed = `${encode({ ...decode(header), alg: 'HS256' })}.${claims}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

const withHeader = (change: object) => (token: string) => {
  const [header, ...rest] = token.split('.')
  return [encode({ ...decode(header), ...change }), ...rest].join('.')
}

describe('a hostile OIDC provider', () => {
  it('signs nobody in with claims that only look right', async () => {
    const started = await start()
    const inAnHour = Math.floor(Date.now() / 1000) + 3600
    const table: [string, Record<string, unknown>, string][] = [
      ['a list with a verified flag', { ...VERIFIED, email_verified: [true] }, UNVERIFIED],
      ['a verified flag that is a number', { ...VERIFIED, email_verified: 1 }, UNVERIFIED],
      ['a verified flag in capitals', { ...VERIFIED, email_verified: 'TRUE' }, UNVERIFIED],
      ['an e-mail in a list', { ...VERIFIED, email: [OWNER.email] }, UNVERIFIED],
      ['an e-mail in an object', { ...VERIFIED, email: { value: OWNER.email } }, UNVERIFIED],
      ['an e-mail with a tag', { ...VERIFIED, email: OWNER.email.replace('@', '+x@') }, UNKNOWN],
      ['an e-mail with a space', { ...VERIFIED, email: ` ${OWNER.email}` }, UNKNOWN],
      ['an e-mail with a newline', { ...VERIFIED, email: `${OWNER.email}\n` }, UNKNOWN],
      ['an e-mail with a NUL', { ...VERIFIED, email: `${OWNER.email}\0` }, UNKNOWN],
      ['an e-mail with a soft hyphen', { ...VERIFIED, email: `\u00ad${OWNER.email}` }, UNKNOWN],
      ['an e-mail with a final dot', { ...VERIFIED, email: `${OWNER.email}.` }, UNKNOWN],
      ['a wildcard as an e-mail', { ...VERIFIED, email: '%' }, UNKNOWN],
      ['a long e-mail', { ...VERIFIED, email: `${'a'.repeat(100_000)}@b.c` }, UNKNOWN],
      ['a token of the future', { ...VERIFIED, nbf: inAnHour }, FAILED],
      ['an expiry that is a text', { ...VERIFIED, exp: String(inAnHour) }, FAILED],
      ['no subject', { ...VERIFIED, sub: undefined }, FAILED],
      ['a subject that is a number', { ...VERIFIED, sub: 1 }, FAILED],
      ['no audience', { ...VERIFIED, aud: undefined }, FAILED],
      ['an empty list of audiences', { ...VERIFIED, aud: [] }, FAILED],
      ['an issuer with a slash more', { ...VERIFIED, iss: `${started.provider.issuer}/` }, FAILED],
      ['a megabyte of claims', { ...VERIFIED, more: 'x'.repeat(1024 * 1024) }, FAILED],
    ]

    for (const [name, claims, expected] of table) {
      expect(await signIn(started, { claims }), name).toBe(expected)
    }
    expect(await signIn(started, { claims: VERIFIED })).toBe('/')
  })

  it('signs nobody in with tokens that a public key or a header of their own proves', async () => {
    const started = await start()
    const { keys } = (await (await fetch(`${started.provider.issuer}/keys`)).json()) as Keys
    const publicKey = createPublicKey({ key: keys[0] as webcrypto.JsonWebKey, format: 'jwk' })
    const pem = publicKey.export({ type: 'spki', format: 'pem' })
    const table: [string, OidcBehavior['tamper'] & {}][] = [
      ['HMAC with the public key', signWithSecret(pem)],
      [
        'HMAC with the key in DER',
        signWithSecret(publicKey.export({ type: 'spki', format: 'der' })),
      ],
      ["HMAC with the client's secret", signWithSecret('a secret: 1+1')],
      ['HMAC with an empty secret', signWithSecret('')],
      ['a key of its own', withHeader({ jwk: keys[0] })],
      ['an address of keys', withHeader({ jku: `${started.provider.issuer}/keys` })],
      ['an unknown critical header', withHeader({ crit: ['x'], x: 1 })],
      ['an unknown key', withHeader({ kid: '../../etc/passwd' })],
      ['None in capitals', (token) => withHeader({ alg: 'NONE' })(token.replace(/[^.]+$/, ''))],
      ['no signature', (token) => token.replace(/[^.]+$/, '')],
      ['an encrypted token', (token) => `${token}.a.b`],
      ['nothing', () => ''],
    ]

    for (const [name, tamper] of table) {
      expect(await signIn(started, { claims: VERIFIED, tamper }), name).toBe(FAILED)
    }
  })

  it.each([
    ['another issuer', { issuer: 'https://evil.example' }],
    ['a script to sign in with', { authorization_endpoint: 'javascript:alert(1)//' }],
    ['a data URL to sign in with', { authorization_endpoint: 'data:text/html,hello' }],
    ['no URL to sign in with', { authorization_endpoint: '/authorize' }],
  ])('sends no browser away with %s', async (_, metadata) => {
    const { api } = await start({ metadata })

    const out = await visit(`${api.url}/sign-in/oidc`)

    expect(out.headers.get('location')).toBe(FAILED)
  })

  it.each<[string, RequestListener]>([
    ['a page', (_, response) => void response.end('<html>')],
    [
      'null',
      (_, response) => void response.setHeader('content-type', 'application/json').end('null'),
    ],
    [
      'a list',
      (_, response) => void response.setHeader('content-type', 'application/json').end('[]'),
    ],
    ['nothing', (_, response) => void response.writeHead(204).end()],
    [
      'a redirect to itself',
      (_, response) => void response.writeHead(302, { location: '/' }).end(),
    ],
    [
      'half a response',
      (_, response) => {
        response.writeHead(200, { 'content-length': '1000' })
        response.write('{', () => response.destroy())
      },
    ],
    [
      'a response without end',
      (_, response) => {
        const send = () => {
          while (!response.destroyed && response.write(' '.repeat(65_536)));
          response.once('drain', send)
        }
        send()
      },
    ],
  ])('that describes itself with %s only fails the sign-in', async (_, listener) => {
    const server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close().closeAllConnections())
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const api = await startApp(undefined, {
      HEDGEROW_OIDC_ISSUER: issuer,
      HEDGEROW_OIDC_CLIENT_ID: 'x',
    })

    const out = await visit(`${api.url}/sign-in/oidc`)

    expect(out.headers.get('location')).toBe(FAILED)
  })
})

describe('a hostile link to the OIDC callback', () => {
  it('signs nobody in and shows nothing of itself', async () => {
    const { api, provider } = await start()
    provider.behave({ claims: VERIFIED })
    const html = encodeURIComponent('<script>alert(1)</script>')
    const queries = [
      '',
      '?code=x',
      '?state=x',
      '?code=x&state=x',
      '?code=x&state=',
      `?error=${html}&error_description=${html}&state=x`,
      `?code=${'x'.repeat(8000)}&state=x`,
    ]

    for (const query of queries) {
      const out = await visit(`${api.url}/sign-in/oidc`)
      const response = await visit(`${api.url}/sign-in/oidc/callback${query}`, cookieIn(out))

      expect(response.headers.get('location'), query).toBe('/sign-in?problem=too_late')
      expect(await response.text()).not.toContain('script')
    }
    for (const query of ['?state=a&state=b&code=c', '?code=%00&state=%00']) {
      expect((await visit(`${api.url}/sign-in/oidc/callback${query}`)).status, query).toBe(400)
    }
  })

  it('is refused if another issuer answers', async () => {
    const { api, provider } = await start({
      metadata: { authorization_response_iss_parameter_supported: true as never },
    })
    provider.behave({ claims: VERIFIED })
    const out = await visit(`${api.url}/sign-in/oidc`)
    const there = await visit(out.headers.get('location') ?? '')
    const back = `${there.headers.get('location')}&iss=https%3A%2F%2Fevil.example`

    const home = await visit(back, cookieIn(out))

    expect(home.headers.get('location')).toBe(FAILED)
  })

  it('keeps the cookie of a sign-in small', async () => {
    const { api } = await start()

    const out = await visit(`${api.url}/sign-in/oidc?next=/${'x'.repeat(6000)}`)

    expect(cookieIn(out).length).toBeLessThan(4096)
  })
})
