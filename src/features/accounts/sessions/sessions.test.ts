import { describe, expect, it } from 'vitest'
import {
  cookieOf,
  DASHBOARDS,
  startApp,
  type TestApp,
  useApp,
} from '../../../../test/support/app/app.ts'
import { insertOneTimeToken } from './one-time-tokens-store.ts'
import { TRIES_PER_ACCOUNT } from './sign-in.ts'

const SESSIONS = '/api/users/@me/sessions'
const ME = '/api/users/@me'
const CHANGE = '/api/users/@me/password'
const PASSWORD = 'correct horse battery staple'
const NEW_PASSWORD = 'another horse'

/** Creates a user who can sign in. */
async function start(open: () => Promise<TestApp> = useApp) {
  const api = await open()
  const user = await api.as({ password: PASSWORD })
  const credentials = { email: user.email, password: PASSWORD }
  return { api, user, credentials, openBrowser: () => api.withSession(user.userId) }
}

const signIn = (api: TestApp, sent: object) => api.withKey(undefined).post('/api/sign_in', sent)

const tokenOf = ({ headers }: { headers: Headers }) =>
  /^hedgerow_session=(\w{43});/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''

const statusWith = async (api: TestApp, token: string) =>
  (await api.withKey(undefined).get(DASHBOARDS, cookieOf(token))).status

describe('signing in', () => {
  it('sets a cookie that scripts and other sites cannot use', async () => {
    const { api, credentials } = await start()

    const response = await signIn(api, credentials)

    expect(response).toMatchObject({ status: 204, text: '' })
    expect(response.headers.getSetCookie()[0]).toMatch(
      /^hedgerow_session=\w{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await statusWith(api, tokenOf(response))).toBe(200)
  })

  it('stores only the hash of the token', async () => {
    const { api, user, credentials } = await start()

    const token = tokenOf(await signIn(api, credentials))

    const sessions = api.db.selectFrom('sessions').where('user_id', '=', user.userId)
    const rows = await sessions.selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('ignores case and surrounding spaces in the e-mail', async () => {
    const { api, user, credentials } = await start()

    const { status } = await signIn(api, { ...credentials, email: ` ${user.email.toUpperCase()}` })

    expect(status).toBe(204)
  })

  it.each([
    ['a wrong password', { password: 'wrong' }],
    ['an unknown e-mail', { email: 'nobody@example.com' }],
  ])('rejects %s with the same message', async (_, wrong) => {
    const { api, credentials } = await start()

    const response = await signIn(api, { ...credentials, ...wrong })

    expect(response).toMatchObject({
      status: 400,
      body: { detail: 'E-mail or password is wrong.', attr: null },
    })
    expect(response.headers.get('set-cookie')).toBeNull()
  })

  it('rejects users without a password', async () => {
    const api = await useApp()
    const { email } = await api.as({})

    const { status } = await signIn(api, { email, password: '' })

    expect(status).toBe(400)
    expect((await signIn(api, { email, password: 'null' })).status).toBe(400)
  })

  it('is throttled after too many wrong passwords, even with the right one', async () => {
    const { api, user, credentials } = await start(startApp)
    const wrong = { ...credentials, password: 'wrong' }
    // concurrent, or an attempt could pass while the others are still being checked
    const tries = Array.from({ length: TRIES_PER_ACCOUNT + 3 }, () => signIn(api, wrong))
    const statuses = (await Promise.all(tries)).map(({ status }) => status).toSorted()

    const response = await signIn(api, { ...credentials, email: user.email.toUpperCase() })

    expect(statuses).toEqual([...Array(TRIES_PER_ACCOUNT).fill(400), 429, 429, 429])
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(800)
    expect((await signIn(api, { ...credentials, email: 'other@example.com' })).status).toBe(400)
  })

  it('is not throttled by successful attempts', async () => {
    const { api, credentials } = await start()
    const wrong = { ...credentials, password: 'wrong' }
    for (let time = 0; time < TRIES_PER_ACCOUNT; time++) await signIn(api, credentials)

    const { status } = await signIn(api, wrong)

    expect(status).toBe(400)
    expect((await signIn(api, credentials)).status).toBe(204)
  })
})

describe('sessions', () => {
  it('are listed to their owner only, with user agent and address', async () => {
    const { api, openBrowser } = await start()
    const { userId } = await api.as({})
    const other = await api.withSession(userId)
    const browser = await openBrowser()
    await openBrowser()

    const { body } = await browser.get(SESSIONS)

    expect(body.count).toBe(2)
    expect(body.results.filter((session: { is_current: boolean }) => session.is_current)).toEqual([
      {
        ...{ id: expect.any(String), user_agent: 'Test', address: '127.0.0.1', is_current: true },
        ...{ created_at: expect.any(String), last_used_at: expect.any(String) },
        expires_at: expect.any(String),
      },
    ])
    expect((await other.get(SESSIONS)).body.count).toBe(1)
  })

  it('end at sign-out', async () => {
    const { openBrowser } = await start()
    const browser = await openBrowser()
    const another = await openBrowser()
    expect((await browser.get(ME)).status).toBe(200)

    const response = await browser.post('/api/sign_out')

    expect(response.status).toBe(204)
    expect(response.headers.get('set-cookie')).toMatch(/^hedgerow_session=; Max-Age=0; Path=\/;/)
    expect(await browser.get(ME)).toMatchObject({
      status: 401,
      body: { detail: 'Your session has ended. Sign in again.' },
    })
    expect((await another.get(ME)).status).toBe(200)
  })

  it('all end when the user signs out everywhere', async () => {
    const { api, openBrowser } = await start()
    const { userId } = await api.as({})
    const mine = [await openBrowser(), await openBrowser()]
    const other = await api.withSession(userId)

    await mine[0]?.post('/api/sign_out/everywhere')

    for (const browser of mine) expect((await browser.get(ME)).status).toBe(401)
    expect((await other.get(ME)).status).toBe(200)
  })

  it('can be ended from another session by their owner only', async () => {
    const { api, user, openBrowser } = await start()
    const { userId } = await api.as({})
    const stranger = await api.withSession(userId)
    const lost = await openBrowser()
    const { body } = await lost.get(SESSIONS)
    const path = `${SESSIONS}/${body.results[0].id}`

    expect((await stranger.delete(path)).status).toBe(404)
    expect((await lost.get(ME)).status).toBe(200)
    expect((await user.delete(path)).status).toBe(204)
    expect((await lost.get(ME)).status).toBe(401)
  })

  it('expire after 30 days', async () => {
    const { api, user, openBrowser } = await start()
    const browser = await openBrowser()
    const expires_at = '2020-01-01T00:00:00.000Z'
    const sessions = api.db.updateTable('sessions').where('user_id', '=', user.userId)
    await sessions.set({ expires_at }).execute()

    const { status, body } = await browser.get(ME)

    expect([status, body.detail]).toEqual([401, 'Your session has ended. Sign in again.'])
  })

  it('are ignored if the request has a key', async () => {
    const api = await useApp()

    const { status } = await api.get(DASHBOARDS, cookieOf('unknown'))

    expect(status).toBe(200)
  })

  it.each([
    ['no origin headers', {}, 403],
    ['the origin of another site', { origin: 'https://evil.example' }, 403],
    ['a null origin, as from a sandboxed frame', { origin: 'null' }, 403],
    ['a cross-site page', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a same-site page', { 'sec-fetch-site': 'same-site' }, 403],
    ['a same-origin page', { 'sec-fetch-site': 'same-origin' }, 201],
    ['the own origin', { origin: '{own}' }, 201],
    [
      'the own origin, which the browser contradicts',
      { origin: '{own}', 'sec-fetch-site': 'none' },
      403,
    ],
  ] as [string, Record<string, string>, number][])(
    'respond to a write with %s (%s) with %i',
    async (_, headers, status) => {
      const api = await useApp()
      const { token } = await api.withSession()
      const sent = { ...headers, ...(headers.origin === '{own}' && { origin: api.url }) }

      const response = await api
        .withKey(undefined)
        .post(DASHBOARDS, { name: 'x' }, { ...cookieOf(token), ...sent })

      expect(response.status).toBe(status)
      if (status === 403)
        expect(response.body.detail).toMatch(/must come from a page of this server/)
      expect((await api.get(DASHBOARDS)).body.count).toBe(status === 201 ? 1 : 0)
    },
  )
})

describe('password change and reset', () => {
  it('ends the other sessions and replaces the old password', async () => {
    const { api, credentials, openBrowser } = await start()
    const browser = await openBrowser()
    const other = await openBrowser()

    const sent = { current_password: PASSWORD, new_password: NEW_PASSWORD }
    const { status } = await browser.post(CHANGE, sent)

    expect(status).toBe(204)
    expect((await browser.get(ME)).status).toBe(200)
    expect((await other.get(ME)).status).toBe(401)
    expect((await signIn(api, credentials)).status).toBe(400)
    expect((await signIn(api, { ...credentials, password: NEW_PASSWORD })).status).toBe(204)
  })

  it.each([
    ['current_password', { current_password: 'wrong', new_password: NEW_PASSWORD }],
    ['current_password', { new_password: NEW_PASSWORD }],
    ['new_password', { current_password: PASSWORD, new_password: 'too short' }],
    ['new_password', { current_password: PASSWORD, new_password: 'x'.repeat(201) }],
  ])('rejects an invalid %s: %j', async (attr, sent) => {
    const { api, credentials, openBrowser } = await start()
    const browser = await openBrowser()

    const response = await browser.post(CHANGE, sent)

    expect(response).toMatchObject({ status: 400, body: { attr } })
    expect((await signIn(api, credentials)).status).toBe(204)
  })

  it('resets once per link, signs in and ends all sessions', async () => {
    const { api, user, credentials, openBrowser } = await start()
    const before = await openBrowser()
    const token = await insertOneTimeToken(api.db, 'reset_password', user.userId)
    const reset = () =>
      api.withKey(undefined).post('/api/reset_password', { token, password: NEW_PASSWORD })

    const response = await reset()

    expect(response.status).toBe(204)
    expect(await statusWith(api, tokenOf(response))).toBe(200)
    expect((await before.get(ME)).status).toBe(401)
    expect((await signIn(api, { ...credentials, password: NEW_PASSWORD })).status).toBe(204)
    expect(await reset()).toMatchObject({ status: 400, body: { attr: 'token' } })
  })

  it('invalidates earlier links', async () => {
    const { api, user, openBrowser } = await start()
    const token = await insertOneTimeToken(api.db, 'reset_password', user.userId)
    const sent = { current_password: PASSWORD, new_password: NEW_PASSWORD }
    await (await openBrowser()).post(CHANGE, sent)

    const { status } = await api.post('/api/reset_password', { token, password: 'yet another one' })

    expect(status).toBe(400)
  })

  it.each([
    ['of another kind', { kind: 'set_up' as const }],
    ['expired', { expires_at: '2020-01-01T00:00:00.000Z' }],
  ])('rejects a link that is %s', async (_, change) => {
    const { api, user, credentials } = await start()
    const token = await insertOneTimeToken(api.db, 'reset_password', user.userId)
    const tokens = api.db.updateTable('one_time_tokens').where('user_id', '=', user.userId)
    await tokens.set(change).execute()

    const response = await api.post('/api/reset_password', { token, password: NEW_PASSWORD })

    expect(response).toMatchObject({ status: 400, body: { attr: 'token' } })
    expect((await signIn(api, credentials)).status).toBe(204)
  })
})
