import { describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../test/support/app/app.ts'
import { OWNER } from '../../test/support/app/owner.ts'

const { email, password } = OWNER
const PUBLIC_URL = 'https://hedgerow.example'
const ME = '/api/users/@me'
/** The headers of browsers over HTTPS, which a proxy that is not trusted leaves as they are. */
const BROWSER = { origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin' }

const signIn = (api: TestApp, headers: Record<string, string>) =>
  api.withKey(undefined).post('/api/sign_in', { email, password }, headers)

const sessionOf = (response: { readonly headers: Headers }) =>
  response.headers.getSetCookie()[0] ?? ''

const statusWith = async (api: TestApp, headers: Record<string, string>) =>
  (await api.app.inject({ url: ME, headers })).statusCode

describe('over HTTPS, cookies', () => {
  it('have the __Host- prefix', async () => {
    const api = await startApp()

    const cookies = (await signIn(api, BROWSER)).headers.getSetCookie()

    expect(cookies.map((cookie) => cookie.replace(/=[\w.-]{40,};/, '=...;'))).toEqual([
      '__Host-hedgerow_session=...; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Lax',
      '__Host-hedgerow_device=...; Max-Age=31536000; Path=/; HttpOnly; Secure; SameSite=Lax',
    ])
  })

  it('are ignored without the __Host- prefix', async () => {
    const api = await startApp(undefined, { HEDGEROW_URL: PUBLIC_URL })
    const bound = sessionOf(await signIn(api, BROWSER)).split(';')[0] ?? ''
    const planted = bound.replace('__Host-', '')
    const host = 'hedgerow.example'

    expect(await statusWith(api, { host, cookie: bound })).toBe(200)
    expect(await statusWith(api, { host, cookie: planted })).toBe(401)
    expect(await statusWith(api, { host, cookie: `${planted}; ${bound}` })).toBe(200)
  })

  it('have the prefix behind a trusted proxy', async () => {
    const api = await startApp(undefined, { HEDGEROW_TRUSTED_PROXY: '127.0.0.1' })
    const https = { 'x-forwarded-proto': 'https' }
    const bound = sessionOf(await signIn(api, https)).split(';')[0] ?? ''

    expect(bound).toMatch(/^__Host-hedgerow_session=/)
    expect(await statusWith(api, { ...https, cookie: bound })).toBe(200)
    expect(await statusWith(api, { ...https, cookie: bound.replace('__Host-', '') })).toBe(401)
  })

  it('are cleared at sign-out', async () => {
    const api = await startApp()
    const cookie = sessionOf(await signIn(api, BROWSER)).split(';')[0] ?? ''
    const headers = { cookie, ...BROWSER }

    const response = await api.withKey(undefined).post('/api/sign_out', undefined, headers)

    expect(response.status).toBe(204)
    expect(sessionOf(response)).toMatch(/^__Host-hedgerow_session=; Max-Age=0; Path=\/;.* Secure;/)
    expect(await statusWith(api, { cookie })).toBe(401)
  })
})

describe('over plain HTTP, cookies', () => {
  it('have no prefix, even if HEDGEROW_URL has HTTPS', async () => {
    const api = await startApp(undefined, { HEDGEROW_URL: PUBLIC_URL })

    const session = sessionOf(await signIn(api, { origin: api.url })).split(';')[0] ?? ''

    expect(session).toMatch(/^hedgerow_session=/)
    expect(await statusWith(api, { host: '127.0.0.1:8000', cookie: session })).toBe(200)
  })
})
