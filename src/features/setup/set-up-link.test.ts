import { expect, it } from 'vitest'
import { startApp } from '../../../test/support/app/app.ts'
import { insertOneTimeToken } from '../accounts/sessions/one-time-tokens-store.ts'

const NORA = { email: 'nora@example.com', password: 'three green hedges' }

it('is offered until it is used', async () => {
  const api = await startApp()
  await api.db.deleteFrom('one_time_tokens').execute()
  const visitor = api.withKey(undefined)
  const needsSetUp = async () => (await visitor.get('/api/sign_in')).body.needs_set_up
  expect(await needsSetUp()).toBe(false)

  const token = await insertOneTimeToken(api.db, 'set_up', 1)
  expect(await needsSetUp()).toBe(true)
  await visitor.post('/api/set_up', { ...NORA, first_name: 'Nora', last_name: 'van Dyk', token })

  expect(await needsSetUp()).toBe(false)
  const { body: me } = await api.get('/api/users/@me')
  expect(me).toMatchObject({ first_name: 'Nora', last_name: 'van Dyk' })
})

it('is not offered after it has expired', async () => {
  const api = await startApp()
  await api.db.deleteFrom('one_time_tokens').execute()
  await insertOneTimeToken(api.db, 'set_up', 1)
  await api.db
    .updateTable('one_time_tokens')
    .set({ expires_at: '2020-01-01T00:00:00.000Z' })
    .execute()

  const { body } = await api.withKey(undefined).get('/api/sign_in')

  expect(body.needs_set_up).toBe(false)
})
