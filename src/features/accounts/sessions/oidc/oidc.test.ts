import { afterEach, describe, expect, it, vi } from 'vitest'
import { cookieOf, startApp } from '../../../../../test/support/app/app.ts'
import { OWNER } from '../../../../../test/support/app/owner.ts'
import {
  type OidcBehavior,
  startOidcProvider,
} from '../../../../../test/support/servers/oidc-provider.ts'

const VERIFIED = { email: OWNER.email, email_verified: true }
const DAY = 86_400

async function start(env: Record<string, string> = {}) {
  const provider = await startOidcProvider()
  const api = await startApp(undefined, { ...provider.env, ...env })
  return { api, provider }
}

type Started = Awaited<ReturnType<typeof start>>

/** Requests a page without following redirects. */
const visit = (url: string, cookie = '') => fetch(url, { redirect: 'manual', headers: { cookie } })

const cookiesOf = (response: Response) =>
  response.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] ?? '')

/** Goes to the provider and back, as a browser does. */
async function signIn({ api, provider }: Started, behavior: OidcBehavior, next = '/') {
  provider.behave(behavior)
  const out = await visit(`${api.url}/sign-in/oidc?next=${encodeURIComponent(next)}`)
  const there = await visit(out.headers.get('location') ?? '')
  const back = there.headers.get('location') ?? ''
  const home = await visit(back, cookiesOf(out)[0])
  const session = home.headers.getSetCookie().find((cookie) => cookie.startsWith('hedgerow_sess'))
  return { out, back, home, location: home.headers.get('location'), session }
}

const tokenIn = (cookie = '') => /^hedgerow_session=(\w+)/.exec(cookie)?.[1] ?? ''

afterEach(() => {
  vi.useRealTimers()
})

describe('OIDC sign-in', () => {
  it.each(['RS256', 'ES256'] as const)('accepts an ID token signed with %s', async (algorithm) => {
    const started = await start()

    const { location, session } = await signIn(
      started,
      { algorithm, claims: { ...VERIFIED, email: OWNER.email.toUpperCase() } },
      '/project/1/events?event=x',
    )

    expect(location).toBe('/project/1/events?event=x')
    expect(session).toMatch(/; HttpOnly; SameSite=Lax$/)
    const nobody = started.api.withKey(undefined)
    const { body } = await nobody.get('/api/users/@me', cookieOf(tokenIn(session)))
    expect(body.email).toBe(OWNER.email)
  })

  it('needs no second factor of ours, even if the organization requires one', async () => {
    const started = await start()
    const rule = { enforce_2fa: true, second_factor_grace_days: 0 }
    await started.api.patch('/api/organizations/@current', rule)

    const claims = { ...VERIFIED, email: OWNER.email }
    const { session } = await signIn(started, { algorithm: 'RS256', claims })

    const nobody = started.api.withKey(undefined)
    expect((await nobody.get('/api/projects', cookieOf(tokenIn(session)))).status).toBe(200)
  })

  it('is listed as a sign-in method', async () => {
    const { api } = await start()
    const without = await startApp()

    const { body } = await api.withKey(undefined).get('/api/sign_in')

    expect(body).toMatchObject({ oidc: { name: 'Acme', is_only: false } })
    expect((await without.get('/api/sign_in')).body).toMatchObject({ oidc: null })
    expect((await without.get('/sign-in/oidc')).status).toBe(404)
  })

  it('uses the configured URL and a secure cookie', async () => {
    const started = await start({ HEDGEROW_URL: 'https://hedgerow.example' })

    const out = await visit(`${started.api.url}/sign-in/oidc`)

    const parameters = new URL(out.headers.get('location') ?? '').searchParams
    expect(parameters.get('redirect_uri')).toBe('https://hedgerow.example/sign-in/oidc/callback')
    expect(out.headers.get('set-cookie')).toMatch(
      /^__Host-hedgerow_oidc=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  it('rejects wrong claims', async () => {
    const started = await start()
    const table: [string, Record<string, unknown>, string][] = [
      ['an unknown e-mail', { ...VERIFIED, email: 'new@example.com' }, 'unknown_email'],
      ['an unverified e-mail', { email: OWNER.email }, 'unverified_email'],
      ['no e-mail', { email_verified: true }, 'unverified_email'],
      ['another audience', { ...VERIFIED, aud: 'another' }, 'failed'],
      ['several audiences', { ...VERIFIED, aud: ['hedgerow', 'another'] }, 'failed'],
      ['another authorized party', { ...VERIFIED, azp: 'another' }, 'failed'],
      ['another issuer', { ...VERIFIED, iss: 'https://evil.example' }, 'failed'],
      ['the nonce of another sign-in', { ...VERIFIED, nonce: 'another' }, 'failed'],
      ['no nonce', { ...VERIFIED, nonce: undefined }, 'failed'],
      ['an expired token', { ...VERIFIED, exp: Date.now() / 1000 - DAY }, 'failed'],
      ['no expiry', { ...VERIFIED, exp: undefined }, 'failed'],
    ]

    for (const [name, claims, problem] of table) {
      const { location, session } = await signIn(started, { claims })

      expect(location, name).toBe(`/sign-in?problem=${problem}`)
      expect(session, name).toBeUndefined()
    }
  })

  it.each([
    [30, '/'],
    [90, '/sign-in?problem=failed'],
  ])('tolerates clocks that differ by a minute: expired %d seconds ago', async (ago, expected) => {
    const started = await start()

    const claims = { ...VERIFIED, exp: Math.floor(Date.now() / 1000) - ago }
    const { location } = await signIn(started, { claims })

    expect(location).toBe(expected)
  })

  it('loads rotated keys, but at most once a minute', async () => {
    const started = await start()
    const { provider } = started
    expect((await signIn(started, { claims: VERIFIED })).location).toBe('/')
    provider.rotateKeys()

    const early = [
      await signIn(started, { claims: VERIFIED }),
      await signIn(started, { claims: VERIFIED }),
    ]
    expect(early.map(({ location }) => location)).toEqual(Array(2).fill('/sign-in?problem=failed'))
    expect(provider.countKeyRequests()).toBe(1)

    vi.setSystemTime(Date.now() + 61_000)
    expect((await signIn(started, { claims: VERIFIED })).location).toBe('/')
    expect(provider.countKeyRequests()).toBe(2)
  })

  it('rejects forged tokens', async () => {
    const started = await start()
    const table: [string, OidcBehavior][] = [
      ['signed with another key', { isForged: true }],
      ['unsigned', { tamper: (token) => withHeader(token, { alg: 'none' }, '') }],
      ['signed with a secret', { tamper: (token) => withHeader(token, { alg: 'HS256' }) }],
      ['of another key type', { tamper: (token) => withHeader(token, { alg: 'ES256' }) }],
      ['with changed claims', { tamper: withOwner, claims: { email: 'x@y.zz' } }],
      ['malformed', { tamper: () => 'nonsense' }],
    ]

    for (const [name, behavior] of table) {
      const { location, session } = await signIn(started, { claims: VERIFIED, ...behavior })

      expect(location, name).toBe('/sign-in?problem=failed')
      expect(session, name).toBeUndefined()
    }
  })

  it('does not match letters that only lowercase to the same', async () => {
    const started = await start()
    const email = 'mark@example.com'
    await started.api.patch('/api/users/@me', { email, current_password: OWNER.password })
    const claims = { ...VERIFIED, email: email.replace('k', '\u212a') }

    const { location } = await signIn(started, { claims })

    expect(location).toBe('/sign-in?problem=unknown_email')
    const { session } = await signIn(started, { claims: { ...VERIFIED, email } })
    expect(session).toBeDefined()
  })

  it('reports a refusal of the provider', async () => {
    const started = await start()

    const { location } = await signIn(started, { error: 'access_denied' })

    expect(location).toBe('/sign-in?problem=refused')
  })

  it('accepts a callback once, in the browser that started it', async () => {
    const started = await start()
    const { back, out } = await signIn(started, { claims: VERIFIED })
    const another = await visit(`${started.api.url}/sign-in/oidc`)

    const responses = await Promise.all(
      ['', 'hedgerow_oidc=nonsense', cookiesOf(another)[0], cookiesOf(out)[0]].map((cookie) =>
        visit(back, cookie),
      ),
    )

    expect(responses.map(({ headers }) => headers.get('location'))).toEqual([
      ...Array(3).fill('/sign-in?problem=too_late'),
      '/sign-in?problem=failed', // the provider accepts a code once
    ])
  })

  it('does not redirect to other sites', async () => {
    const started = await start()
    const targets = [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '/é',
    ]

    for (const next of targets) {
      expect((await signIn(started, { claims: VERIFIED }, next)).location, next).toBe('/')
    }
  })

  it('reports a provider that cannot be reached', async () => {
    const api = await startApp(undefined, {
      HEDGEROW_OIDC_ISSUER: 'http://127.0.0.1:9',
      HEDGEROW_OIDC_CLIENT_ID: 'x',
    })

    const out = await visit(`${api.url}/sign-in/oidc`)

    expect(out.headers.get('location')).toBe('/sign-in?problem=failed')
  })
})

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function withHeader(token: string, header: object, signature?: string): string {
  const [, claims, signed] = token.split('.')
  return [encode(header), claims, signature ?? signed].join('.')
}

function withOwner(token: string): string {
  const [header, claims = '', signature] = token.split('.')
  const parsed = JSON.parse(Buffer.from(claims, 'base64url').toString())
  return [header, encode({ ...parsed, ...VERIFIED }), signature].join('.')
}
