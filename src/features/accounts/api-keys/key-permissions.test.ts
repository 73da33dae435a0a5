import { describe, expect, it } from 'vitest'
import {
  type Client,
  type NewCaller,
  startApp,
  type TestApp,
  useApp,
} from '../../../../test/support/app/app.ts'

const KEYS = '/api/personal_api_keys'
const SOON = '2090-01-01T00:00:00.000Z'
const LATER = '2091-01-01T00:00:00.000Z'
const READER = { label: 'Reader', scopes: ['dashboard:read'] }

/** The permissions of the key, the ones it requests, and the reason for the refusal. */
const TOO_MUCH: readonly [string, NewCaller, object, RegExp][] = [
  ['a scope it lacks', { scopes: ['dashboard:read'] }, { scopes: ['plugin:read'] }, /plugin:read/],
  [
    'writing where it can only read',
    { scopes: ['dashboard:read'] },
    { scopes: ['dashboard:write'] },
    /dashboard:write/,
  ],
  ['everything', { scopes: ['dashboard:write'] }, { scopes: ['*'] }, /'\*'/],
  ['all projects', { projects: [1] }, { scoped_teams: [] }, /projects 1/],
  ['all projects by default', { projects: [1] }, {}, /projects 1/],
  ['another project', { projects: [1] }, { scoped_teams: [1, 2] }, /projects 1/],
  ['a later expiry', { expiresAt: SOON }, { expires_at: LATER }, /expires at 2090/],
  ['no expiry', { expiresAt: SOON }, { expires_at: null }, /expires at 2090/],
  ['no expiry by default', { expiresAt: SOON }, {}, /expires at 2090/],
]

/** Starts with a caller who can manage keys within these limits. */
async function start(
  limits: NewCaller,
  open: () => Promise<TestApp> = useApp,
): Promise<{ api: TestApp; caller: Client }> {
  const api = await open()
  const other = await api.createProject()
  const scopes = limits.scopes && [...limits.scopes, 'personal_api_key:write' as const]
  const caller = await api.as({ memberOf: [1, other], ...limits, ...(scopes && { scopes }) })
  return { api, caller }
}

describe('key permissions', () => {
  it.each(TOO_MUCH)('do not allow creating a key with %s', async (_, limits, requested, reason) => {
    const { caller } = await start(limits)

    const { status, body } = await caller.post(KEYS, { ...READER, ...requested })

    expect(status).toBe(403)
    expect(body.detail).toMatch(reason)
    expect((await caller.get(KEYS)).body).toHaveLength(1)
  })

  it.each(TOO_MUCH.filter(([, , requested]) => Object.keys(requested).length > 0))(
    'do not allow a key to give itself %s',
    async (_, limits, requested, reason) => {
      const { caller } = await start(limits)
      const { body: before } = await caller.get(`${KEYS}/@current`)

      const { status, body } = await caller.patch(`${KEYS}/${before.id}`, requested)

      expect(status).toBe(403)
      expect(body.detail).toMatch(reason)
      expect((await caller.get(`${KEYS}/@current`)).body).toEqual({
        ...before,
        last_used_at: expect.any(String),
      })
    },
  )

  it.each([
    ['of its own scopes', { scopes: ['dashboard:write'] }, { scopes: ['dashboard:read'] }],
    ['of its own projects', { projects: [1, 2] }, { scoped_teams: [2] }],
    ['that expires with it', { expiresAt: SOON }, { expires_at: SOON }],
  ] as const)('allow creating a key %s', async (_, limits, requested) => {
    const { caller } = await start(limits as NewCaller, startApp)

    expect((await caller.post(KEYS, { ...READER, ...requested })).status).toBe(201)
  })

  it.each([
    ['scopes', { scopes: ['personal_api_key:write'] }, 403, /The key "Strong" has more perm/],
    ['projects', { scoped_teams: [1] }, 404, /^Not found\.$/],
    ['time', { expires_at: SOON }, 403, /The key "Strong" has more permissions than yours/],
  ])(
    'with less %s do not allow rolling, changing or deleting a stronger key',
    async (_, less, refusal, reason) => {
      const api = await useApp()
      const owner = await api.as({ level: 15 })
      const { id } = (await owner.post(KEYS, { label: 'Strong', scopes: ['*'] })).body
      const weak = { label: 'Weak', scopes: ['*'], ...less }
      const weaker = api.withKey((await owner.post(KEYS, weak)).body.value)

      const responses = [
        await weaker.post(`${KEYS}/${id}/roll`),
        await weaker.patch(`${KEYS}/${id}`, { label: 'Mine', scopes: ['personal_api_key:write'] }),
        await weaker.delete(`${KEYS}/${id}`),
      ]

      for (const { status, body } of responses) {
        expect(status).toBe(refusal)
        expect(body.detail).toMatch(reason)
      }
      expect((await owner.get(`${KEYS}/${id}`)).body).toMatchObject({
        ...{ label: 'Strong', scopes: ['*'], last_rolled_at: null },
      })
    },
  )

  it('let a session create a key that outlives it', async () => {
    const api = await useApp()
    const { userId } = await api.as({})
    const browser = await api.withSession(userId)

    const { status, body } = await browser.post(KEYS, { label: 'x', scopes: ['*'] })

    expect(status).toBe(201)
    expect(body.expires_at).toBeNull()
    expect((await browser.get(`${KEYS}/@current`)).status).toBe(404)
  })

  it('allow changing and rolling a weaker key and the key itself', async () => {
    const api = await useApp()
    const user = await api.as({})
    const { id } = (await user.post(KEYS, READER)).body
    const scopes = ['dashboard:read', 'personal_api_key:write']
    const made = (await user.post(KEYS, { label: 'Manager', scopes })).body
    const manager = api.withKey(made.value)

    expect((await manager.patch(`${KEYS}/${id}`, { label: 'x' })).status).toBe(200)
    expect((await manager.post(`${KEYS}/${id}/roll`)).status).toBe(200)
    expect((await manager.delete(`${KEYS}/${id}`)).status).toBe(204)
    expect((await manager.post(`${KEYS}/${made.id}/roll`)).status).toBe(200)
  })
})
