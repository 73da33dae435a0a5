import { describe, expect, it } from 'vitest'
import { DASHBOARDS, startApp, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { TRIES_PER_ACCOUNT } from '../sessions/sign-in.ts'

const ME = '/api/users/@me'
const PASSWORD = 'correct horse battery staple'

/** Opens a browser session of a new user. */
async function start(open: () => Promise<TestApp> = useApp) {
  const api = await open()
  const user = await api.as({ password: PASSWORD })
  return { api, user, browser: await api.withSession(user.userId) }
}

describe('own account', () => {
  it('changes only the given fields, everywhere', async () => {
    const { api, user, browser } = await start()
    const { body: dashboard } = await user.post(DASHBOARDS, { name: 'x' })
    const { body: before } = await browser.get(ME)

    const { status, body } = await browser.patch(ME, { first_name: ' Ada ' })

    expect(status).toBe(200)
    expect(body).toEqual({ ...before, first_name: 'Ada' })
    const shown = await api.get(`${DASHBOARDS}/${dashboard.id}`)
    expect(shown.body.created_by.first_name).toBe('Ada')
  })

  it('changes the e-mail with the password, and signs in with the new one', async () => {
    const { api, user, browser } = await start()
    const email = `Ada.${user.email}`

    const { body } = await browser.patch(ME, { email, current_password: PASSWORD })

    expect(body.email).toBe(email)
    const signIn = async (address: string) =>
      (await api.post('/api/sign_in', { email: address, password: PASSWORD })).status
    expect(await signIn(email.toLowerCase())).toBe(204)
    expect(await signIn(user.email)).toBe(400)
  })

  it('changes the current project', async () => {
    const api = await useApp()
    const other = await api.createProject('Other')
    const { userId } = await api.as({ memberOf: [api.projectId, other] })
    const browser = await api.withSession(userId)

    const { body } = await browser.patch(ME, { set_current_team: other })

    expect(body.team).toMatchObject({ id: other, name: 'Other' })
    expect((await browser.get('/api/projects/@current')).body.id).toBe(other)
  })

  it('cannot select a project without access', async () => {
    const { api, browser } = await start()
    const other = await api.createProject()

    const response = await browser.patch(ME, { set_current_team: other })

    expect(response).toMatchObject({ status: 400, body: { attr: 'set_current_team' } })
    expect((await browser.get(ME)).body.team.id).toBe(api.projectId)
  })

  it.each([
    ['first_name', { first_name: '' }],
    ['first_name', { first_name: '  ' }],
    ['last_name', { first_name: 'New', last_name: 'x'.repeat(151) }],
    ['email', { email: 'nobody', current_password: PASSWORD }],
    ['email', { email: '{taken}', current_password: PASSWORD }],
    ['current_password', { first_name: 'New', email: 'new@example.com' }],
    ['current_password', { email: 'new@example.com', current_password: 'wrong' }],
    ['set_current_team', { first_name: 'New', set_current_team: 987654 }],
  ])('rejects an invalid %s and changes nothing: %j', async (attr, sent) => {
    const { api, browser } = await start()
    const { email: taken } = await api.as({})
    const { body: before } = await browser.get(ME)

    const response = await browser.patch(ME, {
      ...sent,
      ...('email' in sent && sent.email === '{taken}' && { email: taken.toUpperCase() }),
    })

    expect(response).toMatchObject({ status: 400, body: { attr } })
    expect((await browser.get(ME)).body).toEqual(before)
  })

  it('throttles guesses of the current password', async () => {
    const { browser } = await start(startApp)
    const wrong = { current_password: 'wrong', new_password: 'a new password' }
    for (let time = 0; time < TRIES_PER_ACCOUNT; time++) {
      await browser.post(`${ME}/password`, wrong)
    }

    const { status } = await browser.post(`${ME}/password`, wrong)

    expect(status).toBe(429)
  })

  it('sets a first password without a current one', async () => {
    const api = await useApp()
    const { userId } = await api.as({})
    const browser = await api.withSession(userId)
    const { body: me } = await browser.get(ME)

    const { status } = await browser.post(`${ME}/password`, { new_password: 'a new password' })

    expect([me.has_password, status]).toEqual([false, 204])
    const sent = { email: me.email, password: 'a new password' }
    expect((await api.post('/api/sign_in', sent)).status).toBe(204)
  })
})
