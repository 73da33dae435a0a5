import { describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../../test/support/app/app.ts'
import { OWNER } from '../../../test/support/app/owner.ts'
import { insertOneTimeToken } from '../accounts/sessions/one-time-tokens-store.ts'

const JANE = { first_name: 'Jane', email: 'jane@example.com', password: 'three green hedges' }

async function start() {
  const api = await startApp()
  return { api, token: await insertOneTimeToken(api.db, 'set_up', 1) }
}

const setUp = (api: TestApp, sent: object) => api.withKey(undefined).post('/api/set_up', sent)

const canSignIn = async (api: TestApp, email: string, password: string) =>
  (await api.post('/api/sign_in', { email, password })).status === 204

describe('setting up', () => {
  it('names the owner and signs them in', async () => {
    const { api, token } = await start()

    const response = await setUp(api, { ...JANE, token })

    expect(response.status).toBe(204)
    const cookie = response.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
    const { body } = await api.withKey(undefined).get('/api/users/@me', { cookie })
    expect(body).toMatchObject({ id: 1, first_name: 'Jane', email: JANE.email })
    expect(await canSignIn(api, JANE.email, JANE.password)).toBe(true)
    expect(await canSignIn(api, OWNER.email, OWNER.password)).toBe(false)
  })

  it('succeeds once when two requests race', async () => {
    const { api, token } = await start()

    const responses = await Promise.all(
      ['a@example.com', 'b@example.com'].map((email) => setUp(api, { ...JANE, email, token })),
    )

    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 400])
  })

  it.each([
    ['token', { token: 'made up' }],
    ['first_name', { first_name: ' ' }],
    ['email', { email: 'nobody' }],
    ['password', { password: 'too short' }],
    ['password', { password: undefined }],
  ])('rejects an invalid %s, and can be retried', async (attr, wrong) => {
    const { api, token } = await start()

    const response = await setUp(api, { ...JANE, token, ...wrong })

    expect(response).toMatchObject({ status: 400, body: { attr } })
    expect(await canSignIn(api, OWNER.email, OWNER.password)).toBe(true)
    expect((await setUp(api, { ...JANE, token })).status).toBe(204)
  })

  it('rejects an e-mail that is taken, and can be retried', async () => {
    const { api, token } = await start()
    const { userId } = await api.as({})
    const { body } = await (await api.withSession(userId)).get('/api/users/@me')

    const response = await setUp(api, { ...JANE, email: body.email, token })

    expect(response).toMatchObject({ status: 400, body: { attr: 'email' } })
    expect((await setUp(api, { ...JANE, token })).status).toBe(204)
  })
})
