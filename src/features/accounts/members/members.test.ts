import { describe, expect, it } from 'vitest'
import { generateApiKey, insertApiKey } from '#server/access/keys.ts'
import { changeAccess } from '#server/db/change.ts'
import { startApp, useApp } from '../../../../test/support/app/app.ts'
import { insertOneTimeToken } from '../sessions/one-time-tokens-store.ts'

const MEMBERS = '/api/organizations/@current/members'
const PROJECT_MEMBERS = 'members'
const at = (uuid: string) => `${MEMBERS}/${uuid}`
const names = (body: { results: { user: { email: string } }[] }) =>
  body.results.map(({ user }) => user.email)

describe('organization members', () => {
  it('are listed with level and projects, and searched by name or e-mail', async () => {
    const api = await startApp()
    const member = await api.as({})

    const { body } = await member.get(MEMBERS)
    const [mine] = (await member.get(`${MEMBERS}?search=OWNER%40`)).body.results

    expect(body.count).toBe(2)
    expect(body.results).toContainEqual(
      expect.objectContaining({ id: member.uuid, level: 1, projects: [1] }),
    )
    expect(mine).toMatchObject({ level: 15, user: { email: 'owner@example.com' } })
    expect((await member.get(`${MEMBERS}?search=nobody`)).body.count).toBe(0)
    expect((await member.get(`${MEMBERS}?limit=1&offset=1`)).body.results).toHaveLength(1)
  })

  it.each([
    [8, 1, 8, 200],
    [8, 8, 1, 200],
    [8, 1, 15, 403],
    [8, 15, 8, 403],
    [15, 1, 15, 200],
    [15, 15, 1, 200],
    [1, 1, 8, 403],
  ] as const)(
    'of level %i change level %i to %i with status %i',
    async (own, before, after, status) => {
      const api = await useApp()
      const caller = await api.as({ level: own })
      const other = await api.as({ level: before })

      const response = await caller.patch(at(other.uuid), { level: after })

      expect(response.status).toBe(status)
      const [found] = (await api.get(`${MEMBERS}?search=${other.email}`)).body.results
      expect(found.level).toBe(status === 200 ? after : before)
    },
  )

  it('always include an owner', async () => {
    const api = await startApp()
    const { uuid } = (await api.get('/api/users/@me')).body

    expect(await api.patch(at(uuid), { level: 8 })).toMatchObject({ status: 409 })
    expect(await api.delete(at(uuid))).toMatchObject({ status: 409 })

    await api.as({ level: 15 })
    expect((await api.patch(at(uuid), { level: 8 })).body.level).toBe(8)
  })

  it('have access to every project as admins', async () => {
    const api = await useApp()
    const other = await api.createProject()
    const member = await api.as({})
    expect((await member.get(`/api/environments/${other}/dashboards`)).status).toBe(403)

    await api.patch(at(member.uuid), { level: 8 })

    expect((await member.get(`/api/environments/${other}/dashboards`)).status).toBe(200)
  })

  it('lose keys, sessions and memberships when removed, but stay the author of their work', async () => {
    const api = await startApp()
    const member = await api.as({})
    const { email } = member
    const browser = await api.withSession(member.userId)
    expect((await browser.get('/api/users/@me')).status).toBe(200)
    const dashboard = (await member.post('dashboards', { name: 'x' })).body

    expect((await api.delete(at(member.uuid))).status).toBe(204)

    expect((await member.get('/api/users/@me')).status).toBe(401)
    expect((await browser.get('/api/users/@me')).status).toBe(401)
    expect(names((await api.get(MEMBERS)).body)).toEqual(['owner@example.com'])
    expect(names((await api.get(PROJECT_MEMBERS)).body)).toEqual(['owner@example.com'])
    const { body } = await api.get(`dashboards/${dashboard.id}`)
    expect(body.created_by.email).toBe(email)
    expect((await api.delete(at(member.uuid))).status).toBe(404)
    const again = { level: 1, email }
    expect((await api.post('/api/organizations/@current/invites', again)).status).toBe(201)
  })

  it('get no access from a key or session created during their removal', async () => {
    const api = await useApp()
    const member = await api.as({})
    const value = generateApiKey()
    await api.delete(at(member.uuid))

    const key = { userId: member.userId, label: 'Late', scopes: ['*'] as const, value }
    await changeAccess(api.db, (tx) =>
      insertApiKey(tx, { ...key, projects: undefined, expiresAt: undefined }),
    )
    const browser = await api.withSession(member.userId)

    expect((await api.withKey(value).get('/api/users/@me')).status).toBe(401)
    expect((await browser.get('/api/users/@me')).status).toBe(401)
  })

  it('can leave, with the same effect as being removed', async () => {
    const api = await startApp()
    const admin = await api.as({ level: 8 })
    const [here, elsewhere] = [
      await api.withSession(admin.userId),
      await api.withSession(admin.userId),
    ]
    const { link } = (await admin.post('/api/organizations/@current/invites', { level: 1 })).body
    const dashboard = (await admin.post('dashboards', { name: 'x' })).body

    const left = await here.delete(at('@me'))

    expect(left.status).toBe(204)
    expect(left.headers.get('set-cookie')).toMatch(/^hedgerow_session=; .*Max-Age=0/)
    for (const client of [admin, here, elsewhere]) {
      expect((await client.get('/api/users/@me')).status).toBe(401)
    }
    expect((await api.get(`/api/invites/${link.split('/').at(-1)}`)).status).toBe(404)
    expect(names((await api.get(MEMBERS)).body)).toEqual(['owner@example.com'])
    const { body } = await api.get(`dashboards/${dashboard.id}`)
    expect(body.created_by.uuid).toBe(admin.uuid)
  })

  it('cannot leave as the last owner', async () => {
    const api = await startApp()
    const browser = await api.withSession()
    await api.as({ level: 8 })

    expect(await browser.delete(at('@me'))).toMatchObject({
      status: 409,
      body: { detail: 'You are the last owner. Make someone else an owner before you leave.' },
    })

    expect((await browser.get('/api/users/@me')).status).toBe(200)
    await api.as({ level: 15 })
    expect((await browser.delete(at('@me'))).status).toBe(204)
  })

  it('cannot leave with a limited key', async () => {
    const api = await useApp()
    const scoped = await api.as({ scopes: ['organization_member:write'] })
    const limited = await api.as({ projects: [api.projectId] })

    for (const client of [scoped, limited]) {
      expect((await client.delete(at('@me'))).status).toBe(403)
      expect((await client.get('/api/users/@me')).status).toBe(200)
    }
  })

  it('lose their links and invites when removed', async () => {
    const api = await useApp()
    const member = await api.as({})
    const link = await insertOneTimeToken(api.db, 'reset_password', member.userId)
    const { id } = (await api.post('dashboards', { name: 'x' })).body
    const collaborators = `dashboards/${id}/collaborators`
    await api.post(collaborators, { user_uuid: member.uuid, level: 37 })

    await api.delete(at(member.uuid))

    const reset = { token: link, password: 'a new long password' }
    expect(await api.post('/api/reset_password', reset)).toMatchObject({
      status: 400,
      body: { attr: 'token' },
    })
    expect((await api.get(collaborators)).body).toEqual([])
    const late = await api.withSession(member.userId) // was signing in at that moment
    expect((await late.get('/api/users/@me')).status).toBe(401)
  })

  it('are not removed by callers without permission', async () => {
    const api = await useApp()
    const [member, admin] = [await api.as({}), await api.as({ level: 8 })]
    const { uuid } = (await api.get('/api/users/@me')).body

    expect((await admin.delete(at(uuid))).status).toBe(403)
    expect((await member.delete(at(admin.uuid))).status).toBe(403)
    expect((await admin.delete(at(member.uuid))).status).toBe(204)
  })

  it('lose invites that exceed their new level when demoted', async () => {
    const api = await useApp()
    const admin = await api.as({ level: 8 })
    const { link } = (await admin.post('/api/organizations/@current/invites', { level: 8 })).body
    const token = link.split('/').at(-1)
    expect((await api.get(`/api/invites/${token}`)).status).toBe(200)

    await api.patch(at(admin.uuid), { level: 1 })

    expect((await api.get(`/api/invites/${token}`)).status).toBe(404)
  })

  it.each([{}, { level: 2 }, { level: '8' }, { level: null }])('refuse %o', async (body) => {
    const api = await useApp()
    const member = await api.as({})

    expect(await api.patch(at(member.uuid), body)).toMatchObject({
      status: 400,
      body: { attr: 'level' },
    })
  })
})

describe('project members', () => {
  it('include added users and all admins', async () => {
    const api = await startApp()
    const other = await api.createProject()
    await api.as({ memberOf: [other] })
    const member = await api.as({})

    const { body } = await member.get(PROJECT_MEMBERS)

    expect(body.count).toBe(2)
    const byLevel = body.results.toSorted(
      (a: { level: number }, b: { level: number }) => b.level - a.level,
    )
    expect(byLevel).toMatchObject([
      { level: 15, added_at: null },
      { level: 1, added_at: expect.any(String), user: { uuid: member.uuid } },
    ])
  })

  it('gain and lose access when added and removed', async () => {
    const api = await useApp()
    const other = await api.createProject()
    const member = await api.as({})
    const dashboards = `/api/environments/${other}/dashboards`

    const added = await api.post(`/api/projects/${other}/members`, { user_uuid: member.uuid })

    expect(added).toMatchObject({ status: 201, body: { level: 1, added_at: expect.any(String) } })
    expect((await member.get(dashboards)).status).toBe(200)
    const twice = await api.post(`/api/projects/${other}/members`, { user_uuid: member.uuid })
    expect(twice.status).toBe(409)
    const there = `/api/projects/${other}/members/${member.uuid}`
    expect((await api.delete(there)).status).toBe(204)
    expect((await member.get(dashboards)).status).toBe(403)
    expect((await api.delete(there)).status).toBe(404)
  })

  it('must be existing users', async () => {
    const api = await useApp()
    const user_uuid = '0b0f3c0e-0000-4000-8000-000000000000'

    expect(await api.post(PROJECT_MEMBERS, { user_uuid })).toMatchObject({
      status: 400,
      body: { attr: 'user_uuid', detail: 'User does not exist.' },
    })
  })
})
