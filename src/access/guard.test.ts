import Fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { DASHBOARDS, startApp } from '../../test/support/app/app.ts'
import { OWNER } from '../../test/support/app/owner.ts'
import { startStorage } from '../../test/support/app/storage.ts'
import { createApiKey } from '../features/accounts/api-keys/api-keys.ts'
import { createUser } from '../features/accounts/members/create-user.ts'
import { removeMember } from '../features/accounts/members/project-members.ts'
import { installGuard } from './guard.ts'

const HEADERS = {
  Bearer: 401,
  'Bearer ': 401,
  'Token {key}': 401,
  'Basic {key}': 401,
  '{key}': 401,
  'Bearer {key}x': 401,
  'Bearer {key} x': 401,
  'Bearer {key}': 200,
  'bearer {key}': 200,
  'BEARER {key}': 200,
  'Bearer   {key}': 200,
  'Bearer\t{key} ': 200,
}

async function startToy() {
  const app = Fastify()
  onTestFinished(() => app.close())
  installGuard(app, await startStorage())
  return app
}

describe('guard', () => {
  it('stops the app from starting if a route declares no scope', async () => {
    const app = await startToy()

    expect(() => app.get('/open', async () => 'secret')).toThrow('GET /open declares no scope')
  })

  it("stops the app if a plugin's route declares no scope", async () => {
    const app = await startToy()
    app.register(async (inner) => {
      inner.post('/open', async () => 'secret')
    })

    await expect(app.ready()).rejects.toThrow('POST /open declares no scope')
  })

  it('sets the user and project of the caller', async () => {
    const app = await startToy()
    const config = { scope: 'key' } as const
    app.get('/who/:project_id', { config }, async ({ caller }) => ({
      ...caller,
      scopes: [...caller.scopes],
    }))
    const headers = { authorization: `Bearer ${OWNER.apiKey}` }

    const { body } = await app.inject({ url: '/who/@current', headers })

    expect(JSON.parse(body)).toEqual({
      ...{ projectId: 1, userId: 1, level: 15, scopes: ['*'] },
      isViewer: false,
    })
  })

  it('accepts a key only as a Bearer token', async () => {
    const api = await startApp()
    const { key } = await api.as({})
    const nobody = api.withKey(undefined)
    const answers: Record<string, number> = {}

    for (const header of Object.keys(HEADERS)) {
      const authorization = header.replace('{key}', key)
      answers[header] = (await nobody.get(DASHBOARDS, { authorization })).status
    }

    expect(answers).toEqual(HEADERS)
  })

  it('leaves a viewer few scopes, on routes that are open to viewers only', async () => {
    const storage = await startStorage()
    const app = Fastify()
    onTestFinished(() => app.close())
    installGuard(app, storage)
    app.get('/closed/:project_id', { config: { scope: 'key' } }, async () => 'secret')
    app.get('/open/:project_id', { config: { scope: 'key', viewers: true } }, async (request) => [
      ...request.caller.scopes,
    ])
    const email = 'vi@example.com'
    const vi = { email, firstName: '', lastName: '', projects: [1], level: 1 } as const
    await createUser(storage.db, { ...vi, accessLevel: 'viewer' })
    const key = { user: email, label: 'x', scopes: ['*'], projects: undefined } as const
    const { value } = await createApiKey(storage.db, { ...key, expiresAt: undefined })
    const headers = { authorization: `Bearer ${value}` }

    const closed = await app.inject({ url: '/closed/1', headers })
    const open = await app.inject({ url: '/open/1', headers })

    expect(closed.body).toContain('Viewers cannot do this.')
    expect(open.json().toSorted()).toEqual([
      ...['annotation:read', 'comment:read', 'comment:write', 'dashboard:read', 'insight:read'],
      'organization_member:read',
    ])
  })

  it("resolves @current to the caller's current project", async () => {
    const api = await startApp()
    const other = await api.createProject()
    const member = await api.as({ memberOf: [other] })
    const homeless = await api.as({ memberOf: [] })
    await api.post(DASHBOARDS, { name: 'In project 1' })
    const current = '/api/environments/@current/dashboards'

    expect((await api.get(current)).body.count).toBe(1)
    expect((await member.get(current)).body.count).toBe(0)
    expect(await homeless.get(current)).toMatchObject({
      status: 404,
      body: { detail: 'Project not found.' },
    })
  })

  it('ignores a key in the query', async () => {
    const api = await startApp()
    const { key } = await api.as({})

    const { body } = await api.withKey(undefined).get(`${DASHBOARDS}?personal_api_key=${key}`)

    expect(body.code).toBe('not_authenticated')
  })

  it('refuses a user whose membership was removed', async () => {
    const api = await startApp()
    const member = await api.as({})
    expect((await member.get(DASHBOARDS)).status).toBe(200)
    await removeMember(api.db, String(member.userId), 1)

    const { status } = await member.get(DASHBOARDS)

    expect(status).toBe(403)
  })

  it('records the last use of a key', async () => {
    const api = await startApp()
    const caller = await api.as({})
    const key = () =>
      api.db
        .selectFrom('api_keys')
        .select('last_used_at')
        .where('user_id', '=', caller.userId)
        .executeTakeFirstOrThrow()
    expect((await key()).last_used_at).toBeNull()

    await caller.get(DASHBOARDS)

    await expect.poll(key).toEqual({ last_used_at: expect.stringMatching(/^20.*Z$/) })
  })
})
