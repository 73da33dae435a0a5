import { describe, expect, it } from 'vitest'
import { endAllSessions } from '#server/features/accounts/sessions/sessions.ts'
import { type Client, cookieOf } from '../support/app/app.ts'
import {
  everywhere,
  isAdminOnly,
  isChange,
  isSigningOut,
  nameOf,
  refusals,
  sampleOf,
  start,
  startRefused,
  takesSessions,
  walk,
} from './walk.ts'

describe('every route with a session', () => {
  it('accepts the owner', async () => {
    const { api, world, guarded } = await start()
    const browser = await api.withSession()
    const routes = sampleOf(guarded.filter((one) => !isSigningOut(one) && takesSessions(one)))

    const responses = await walk(routes, world, () => browser)

    expect(refusals(responses)).toEqual([])
  })

  it('refuses it after signing out', async () => {
    const { api, world, guarded } = await start()

    for (const route of guarded.filter(isSigningOut)) {
      const browser = await api.withSession()
      expect(await walk([route], world, () => browser)).toEqual({ [nameOf(route)]: '204' })
      expect((await browser.get('/api/users/@me')).status).toBe(401)
    }
  })

  it("refuses a change from another site's page", async () => {
    const { api, world, guarded, walk } = await startRefused()
    const routes = sampleOf(guarded.filter(isChange))
    const { token } = await api.withSession()
    const nobody = api.withKey(undefined)
    const foreign: Client['request'] = (method, path, body) =>
      nobody.request(method, path, body, { ...cookieOf(token), origin: 'https://evil.example' })

    const responses = await walk(routes, world, () => ({ ...nobody, request: foreign }))

    const detail = expect.stringMatching(/^403 .* must come from a page of this server/)
    expect(responses).toEqual(Object.fromEntries(routes.map((route) => [nameOf(route), detail])))
  })

  it('refuses an expired one', async () => {
    const { api, world, guarded, walk } = await startRefused()
    const routes = sampleOf(guarded)
    const browser = await api.withSession()
    expect((await browser.get('/api/projects')).status).toBe(200)
    await endAllSessions(api.db, 1)

    const responses = await walk(routes, world, () => browser)

    const detail = 'Your session has ended. Sign in again.'
    expect(responses).toEqual(everywhere(routes, 401, () => detail))
  })

  it('lets one without the required second factor sign out and set it up, and nothing else', async () => {
    const { api, world, guarded } = await start()
    const { userId } = await api.as({ level: 15 })
    const rule = { enforce_2fa: true, second_factor_grace_days: 0 }
    await api.patch('/api/organizations/@current', rule)
    const browser = await api.withSession(userId)
    const routes = guarded.filter((one) => one.method !== 'HEAD' && !isSigningOut(one))

    const responses = await walk(routes, world, () => browser)

    const isRefused = (name: string) =>
      /^403 Your organization requires/.test(responses[name] ?? '')
    const open = Object.keys(responses).filter((name) => !isRefused(name))
    expect(open.toSorted()).toEqual([
      'GET /api/users/@me',
      'GET /api/users/@me/passkeys',
      'GET /api/users/@me/second_factor',
      'POST /api/users/@me/passkeys',
      'POST /api/users/@me/passkeys/:id/remove',
      'POST /api/users/@me/passkeys/options',
      'POST /api/users/@me/second_factor',
      'POST /api/users/@me/second_factor/confirm',
      'POST /api/users/@me/second_factor/recovery_codes',
      'POST /api/users/@me/second_factor/remove',
    ])
    const { status } = await browser.post('/api/sign_out')
    expect(status).toBe(204)
  })

  it('refuses admin operations to a member', async () => {
    const { api, world, guarded, walk } = await startRefused()
    const routes = guarded.filter(isAdminOnly)
    const { userId } = await api.as({ level: 1 })
    const member = await api.withSession(userId)

    const responses = await walk(routes, world, () => member)

    expect(refusals(responses)).toHaveLength(routes.length)
  })
})
