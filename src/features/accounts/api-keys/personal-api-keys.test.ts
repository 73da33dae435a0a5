import { describe, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app/app.ts'

const KEYS = '/api/personal_api_keys'
/** Creates a user with one key. */
async function start() {
  const api = await useApp()
  return { api, user: await api.as({}) }
}

const READER = { label: 'Reader', scopes: ['dashboard:read'] }

describe('personal API keys', () => {
  it('are created with a value that is shown once', async () => {
    const { api, user } = await start()

    const { status, body } = await user.post(KEYS, { ...READER, scoped_teams: [api.projectId] })

    expect(status).toBe(201)
    expect(body.value).toMatch(/^phx_\w{43}$/)
    expect(body).toMatchObject({
      ...READER,
      scoped_teams: [api.projectId],
      expires_at: null,
      user_id: user.userId,
    })
    expect((await api.withKey(body.value).get('dashboards')).status).toBe(200)
    const again = { ...body, value: null, last_used_at: null }
    expect((await user.get(`${KEYS}/${body.id}`)).body).toEqual({
      ...again,
      last_used_at: expect.any(String),
    })
    expect((await user.get(KEYS)).text).not.toContain(body.value)
  })

  it('are listed to their owner, newest first', async () => {
    const { api, user } = await start()
    const other = await api.as({})
    await user.post(KEYS, { ...READER, label: 'a' })
    await user.post(KEYS, { ...READER, label: 'b' })
    await other.post(KEYS, { ...READER, label: 'theirs' })

    const { body } = await user.get(KEYS)

    expect(body.map(({ label }: { label: string }) => label)).toEqual(['b', 'a', 'Test'])
  })

  it('are not accessible to other users, not even owners', async () => {
    const api = await useApp()
    const other = await api.as({})
    const { id } = (await other.post(KEYS, READER)).body

    const responses = [
      await api.get(`${KEYS}/${id}`),
      await api.patch(`${KEYS}/${id}`, { label: 'x' }),
      await api.post(`${KEYS}/${id}/roll`),
      await api.delete(`${KEYS}/${id}`),
    ]

    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect((await other.get(`${KEYS}/${id}`)).body.label).toBe('Reader')
  })

  it('can read themselves with any scope', async () => {
    const { api, user } = await start()
    const { value, id } = (await user.post(KEYS, READER)).body

    const { body } = await api.withKey(value).get(`${KEYS}/@current`)

    expect(body).toMatchObject({ id, label: 'Reader', value: null })
  })

  it('change only the given fields', async () => {
    const { api, user } = await start()
    const expires_at = '2099-01-01T00:00:00.000Z'
    const { id, value } = (
      await user.post(KEYS, { ...READER, scoped_teams: [api.projectId], expires_at })
    ).body

    const { body } = await user.patch(`${KEYS}/${id}`, { label: 'Other', description: 'For CI' })

    expect(body).toMatchObject({
      label: 'Other',
      description: 'For CI',
      scoped_teams: [api.projectId],
    })
    expect(body).toMatchObject({ scopes: ['dashboard:read'], expires_at, value: null })
    expect((await api.withKey(value).get(`${KEYS}/@current`)).status).toBe(200)
    const wide = { scoped_teams: [], expires_at: null }
    expect((await user.patch(`${KEYS}/${id}`, wide)).body).toMatchObject(wide)
  })

  it('accept only the new value when rolled', async () => {
    const { api, user } = await start()
    const { id, value } = (await user.post(KEYS, READER)).body

    const { body } = await user.post(`${KEYS}/${id}/roll`)

    expect(body).toMatchObject({ id, label: 'Reader', last_rolled_at: expect.any(String) })
    expect(body.value).not.toBe(value)
    expect((await api.withKey(value).get(`${KEYS}/@current`)).status).toBe(401)
    expect((await api.withKey(body.value).get(`${KEYS}/@current`)).status).toBe(200)
  })

  it('stop working when deleted, even with their own value', async () => {
    const { api, user } = await start()
    const scopes = ['personal_api_key:write']
    const { value, id } = (await user.post(KEYS, { label: 'x', scopes })).body
    const key = api.withKey(value)

    expect((await key.delete(`${KEYS}/${id}`)).status).toBe(204)

    expect((await key.get(`${KEYS}/@current`)).status).toBe(401)
  })

  it('are limited to 50', async () => {
    const { user } = await start()
    for (let made = 1; made < 50; made++) await user.post(KEYS, READER)

    const { status, body } = await user.post(KEYS, READER)

    expect(status).toBe(400)
    expect(body.detail).toContain('You can only have 50 personal API keys.')
    expect((await user.get(KEYS)).body).toHaveLength(50)
  })

  it.each([
    ['no label', { scopes: ['*'] }, 'label'],
    ['an empty label', { ...READER, label: '' }, 'label'],
    ['a label of spaces', { ...READER, label: '  ' }, 'label'],
    ['a long label', { ...READER, label: 'x'.repeat(41) }, 'label'],
    ['no scope', { label: 'x', scopes: [] }, 'scopes'],
    ['an unknown scope', { label: 'x', scopes: ['weather:read'] }, 'scopes'],
    ['an unknown project', { ...READER, scoped_teams: [99] }, 'scoped_teams'],
    ['an expiry in the past', { ...READER, expires_at: '2020-01-01' }, 'expires_at'],
    ['an expiry that is not a time', { ...READER, expires_at: 'soon' }, 'expires_at'],
    ['an unknown organization', { ...READER, scoped_organizations: ['x'] }, 'scoped_organizations'],
  ])('reject %s', async (_, body, attr) => {
    const { user } = await start()

    const response = await user.post(KEYS, body)

    expect(response).toMatchObject({ status: 400, body: { attr } })
    expect((await user.get(KEYS)).body).toHaveLength(1)
  })

  it('cannot be limited to a project without access', async () => {
    const api = await useApp()
    const member = await api.as({})
    const other = await api.createProject()

    const response = await member.post(KEYS, { ...READER, scoped_teams: [api.projectId, other] })

    expect(response).toMatchObject({ status: 400, body: { attr: 'scoped_teams' } })
  })
})
