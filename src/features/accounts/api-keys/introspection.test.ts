import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'

const PATH = '/oauth/introspect'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

async function createKey(api: TestApp, more: object = {}) {
  const fields = { label: 'Of the command line', scopes: ['dashboard:read', 'insight:write'] }
  const { body } = await api.post('/api/personal_api_keys', { ...fields, ...more })
  return body as { id: string; value: string }
}

describe('the introspection of a key', () => {
  it('answers the key itself, as JSON and as a form', async () => {
    const api = await useApp()
    const { value } = await createKey(api, { scoped_teams: [api.projectId] })
    const client = api.withKey(value)

    const json = await client.post(`${PATH}/`, { token: value })
    const form = await client.post(PATH, `token=${value}&token_type_hint=access_token`, FORM)

    expect([json.status, json.body]).toEqual([
      200,
      {
        active: true,
        token_type: 'Bearer',
        scope: 'dashboard:read insight:write',
        scoped_teams: [api.projectId],
        scoped_organizations: [],
      },
    ])
    expect(form.body).toEqual(json.body)
  })

  it('shows when the key expires', async () => {
    const api = await useApp()
    const { value } = await createKey(api, { expires_at: '2099-01-01T00:00:00Z' })

    const { body } = await api.post(PATH, { token: value })

    expect(body).toMatchObject({ active: true, exp: Date.parse('2099-01-01') / 1000 })
  })

  it('says no more of other keys than that they are not active', async () => {
    const api = await useApp()
    const deleted = await createKey(api)
    const expired = await createKey(api, { expires_at: '2099-01-01T00:00:00Z' })
    await api.delete(`/api/personal_api_keys/${deleted.id}`)
    await api.db
      .updateTable('api_keys')
      .set({ expires_at: '2020-01-01T00:00:00.000Z' })
      .where('id', '=', expired.id)
      .execute()
    const { key: ofOther } = await api.as({})

    for (const token of ['phx_unknown', '', deleted.value, expired.value, ofOther]) {
      const { status, body } = await api.post(PATH, { token })
      expect([status, body]).toEqual([200, { active: false }])
    }
  })

  it.each([
    ['nobody', undefined, { token: 'phx_unknown' }, 401],
    ['an unknown key', 'phx_unknown', { token: 'phx_unknown' }, 401],
  ])('is refused to %s', async (_, key, body, status) => {
    const api = await useApp()

    expect((await api.withKey(key).post(PATH, body)).status).toBe(status)
  })

  it.each<[string, unknown, Record<string, string>, number]>([
    ['no token', {}, {}, 400],
    ['a token that is a list', { token: ['a'] }, {}, 400],
    ['an empty form', '', FORM, 400],
    ['a large form', `token=${'a'.repeat(20_000)}`, FORM, 413],
    ['another type', 'token', { 'content-type': 'text/plain' }, 415],
  ])('refuses %s', async (_, body, headers, status) => {
    const api = await useApp()

    expect((await api.post(PATH, body, headers)).status).toBe(status)
  })
})
