import { describe, expect, it } from 'vitest'
import { cookieOf, startApp } from '../../../../../test/app.ts'
import { type OidcBehaviour, startOidcProvider } from '../../../../../test/oidc-provider.ts'
import { OWNER } from '../../../../../test/owner.ts'

const VERIFIED = { email: OWNER.email, email_verified: true }
const DAY = 86_400

async function start(env: Record<string, string> = {}) {
  const provider = await startOidcProvider()
  const api = await startApp(undefined, { ...provider.env, ...env })
  return { api, provider }
}

type Started = Awaited<ReturnType<typeof start>>

/** What a browser does with a redirect, but one at a time. */
const visit = (url: string, cookie = '') => fetch(url, { redirect: 'manual', headers: { cookie } })

const cookiesOf = (response: Response) =>
  response.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] ?? '')

/** There and back again: where it led to, and the cookies that came with it. */
async function passThrough({ api, provider }: Started, behaviour: OidcBehaviour, next = '/') {
  provider.behave(behaviour)
  const out = await visit(`${api.url}/sign-in/oidc?next=${encodeURIComponent(next)}`)
  const there = await visit(out.headers.get('location') ?? '')
  const back = there.headers.get('location') ?? ''
  const home = await visit(back, cookiesOf(out)[0])
  const session = home.headers.getSetCookie().find((cookie) => cookie.startsWith('hedgerow_sess'))
  return { out, back, home, location: home.headers.get('location'), session }
}

const tokenIn = (cookie = '') => /^hedgerow_session=(\w+)/.exec(cookie)?.[1] ?? ''

describe('signing in by a provider', () => {
  it.each(['RS256', 'ES256'] as const)('lets in whom it names, signed by %s', async (algorithm) => {
    const started = await start()

    const { location, session } = await passThrough(
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

  it('is offered on the sign-in page', async () => {
    const { api } = await start()
    const without = await startApp()

    const { body } = await api.withKey(undefined).get('/api/sign_in')

    expect(body).toEqual({ oidc: { name: 'Acme' } })
    expect((await without.get('/api/sign_in')).body).toEqual({ oidc: null })
    expect((await without.get('/sign-in/oidc')).status).toBe(404)
  })

  it('tells the provider the address that people use, and keeps cookies to it', async () => {
    const started = await start({ HEDGEROW_URL: 'https://hedgerow.example' })

    const out = await visit(`${started.api.url}/sign-in/oidc`)

    const asked = new URL(out.headers.get('location') ?? '').searchParams
    expect(asked.get('redirect_uri')).toBe('https://hedgerow.example/sign-in/oidc/callback')
    expect(out.headers.get('set-cookie')).toMatch(
      /Path=\/sign-in\/oidc; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  it.each([
    ['an e-mail of nobody here', { ...VERIFIED, email: 'new@example.com' }, 'unknown_email'],
    ['an e-mail that is not verified', { email: OWNER.email }, 'unverified_email'],
    ['no e-mail', { email_verified: true }, 'unverified_email'],
    ['a token for somebody else', { ...VERIFIED, aud: 'another' }, 'failed'],
    ['a token for others as well', { ...VERIFIED, aud: ['hedgerow', 'another'] }, 'failed'],
    ['a token of another issuer', { ...VERIFIED, iss: 'https://evil.example' }, 'failed'],
    ['a token of another sign-in', { ...VERIFIED, nonce: 'another' }, 'failed'],
    ['a token of yesterday', { ...VERIFIED, exp: Date.now() / 1000 - DAY }, 'failed'],
    ['a token that says not until when', { ...VERIFIED, exp: undefined }, 'failed'],
  ])('refuses %s', async (_, claims, problem) => {
    const started = await start()

    const { location, session } = await passThrough(started, { claims })

    expect(location).toBe(`/sign-in?problem=${problem}`)
    expect(session).toBeUndefined()
  })

  it.each<[string, OidcBehaviour]>([
    ['signed by another key', { isForged: true }],
    ['signed by nobody', { tamper: (token) => withHeader(token, { alg: 'none' }, '') }],
    [
      'signed by an algorithm of secrets',
      { tamper: (token) => withHeader(token, { alg: 'HS256' }) },
    ],
    ['whose key is of another kind', { tamper: (token) => withHeader(token, { alg: 'ES256' }) }],
    ['with other claims than were signed', { tamper: withOwner, claims: { email: 'x@y.zz' } }],
    ['that is none', { tamper: () => 'nonsense' }],
  ])('refuses a token %s', async (_, behaviour) => {
    const started = await start()

    const { location, session } = await passThrough(started, { claims: VERIFIED, ...behaviour })

    expect(location).toBe('/sign-in?problem=failed')
    expect(session).toBeUndefined()
  })

  it('takes no letter for another that it only becomes in small letters', async () => {
    const started = await start()
    const email = 'mark@example.com'
    await started.api.patch('/api/users/@me', { email, current_password: OWNER.password })
    const claims = { ...VERIFIED, email: email.replace('k', '\u212a') }

    const { location } = await passThrough(started, { claims })

    expect(location).toBe('/sign-in?problem=unknown_email')
    const { session } = await passThrough(started, { claims: { ...VERIFIED, email } })
    expect(session).toBeDefined()
  })

  it('says so when the provider refuses', async () => {
    const started = await start()

    const { location } = await passThrough(started, { error: 'access_denied' })

    expect(location).toBe('/sign-in?problem=refused')
  })

  it('takes an answer only in the browser that asked, and once', async () => {
    const started = await start()
    const { back, out } = await passThrough(started, { claims: VERIFIED })
    const another = await visit(`${started.api.url}/sign-in/oidc`)

    const answers = await Promise.all(
      ['', 'hedgerow_oidc=nonsense', cookiesOf(another)[0], cookiesOf(out)[0]].map((cookie) =>
        visit(back, cookie),
      ),
    )

    expect(answers.map(({ headers }) => headers.get('location'))).toEqual([
      ...Array(3).fill('/sign-in?problem=too_late'),
      '/sign-in?problem=failed', // the provider redeems a code once
    ])
  })

  it.each(['//evil.example', 'https://evil.example', '/\\evil.example', '/\t/evil.example', '/é'])(
    'does not lead to %j',
    async (next) => {
      const started = await start()

      const { location } = await passThrough(started, { claims: VERIFIED }, next)

      expect(location).toBe('/')
    },
  )

  it('says so when the provider cannot be reached', async () => {
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
  const given = JSON.parse(Buffer.from(claims, 'base64url').toString())
  return [header, encode({ ...given, ...VERIFIED }), signature].join('.')
}
