import { createHook } from 'node:async_hooks'
import { describe, expect, it, onTestFinished } from 'vitest'
import { changeAccess } from '#server/db/change.ts'
import { startApp } from '../../../../test/support/app/app.ts'
import { OWNER } from '../../../../test/support/app/owner.ts'
import { until } from '../../../../test/support/until.ts'
import { hashPassword } from '../users/passwords.ts'
import { setPassword } from './sessions.ts'
import { checkPassword, createPasswordThrottle, TRIES_PER_NETWORK } from './sign-in.ts'
import { deleteSessions } from './store.ts'

/** Counts how often a password is hashed from now on. */
function countHashing() {
  const counted = { times: 0 }
  const hook = createHook({
    init(_, type) {
      if (type === 'SCRYPTREQUEST') counted.times++
    },
  }).enable()
  onTestFinished(() => {
    hook.disable()
  })
  return counted
}

describe('password attempts', () => {
  it('take as long for an unknown e-mail as for a wrong password', async () => {
    const api = await startApp()
    const counted = countHashing()
    const workOf = async (email: string) => {
      counted.times = 0
      await api.withKey(undefined).post('/api/sign_in', { email, password: 'wrong' })
      return counted.times
    }

    const ofNobody = await workOf('nobody@example.com')

    expect(ofNobody).toBe(1)
    expect(await workOf(OWNER.email)).toBe(ofNobody)
  })

  it('fail if the password is changed during the check', async () => {
    const api = await startApp()
    const another = await hashPassword('another horse')
    const { email, password } = OWNER
    // the hash of the tests' owner is too cheap to change anything during its check
    const password_hash = await hashPassword(password)
    await api.db.updateTable('users').set({ password_hash }).execute()
    const counted = countHashing()
    const pending = api.withKey(undefined).post('/api/sign_in', { email, password })
    await until(() => counted.times === 1)

    await changeAccess(api.db, async (tx) => {
      await setPassword(tx, 1, another)
      await deleteSessions(tx, 1)
    })

    const cookie = (await pending).headers.get('set-cookie') ?? ''
    const { status } = await api.withKey(undefined).get('/api/users/@me', { cookie })
    expect(status).toBe(401)
  })

  it('are throttled by network too, for any e-mail', async () => {
    const throttle = createPasswordThrottle()
    const attempt = (address: string, email: string, device?: string) =>
      checkPassword(throttle, { address, email, device }, async () => false)
    for (let time = 0; time < TRIES_PER_NETWORK; time++) {
      await attempt('192.0.2.1', `${time}@example.com`)
    }

    await expect(attempt('192.0.2.1', 'new@example.com')).rejects.toMatchObject({ statusCode: 429 })
    expect(await attempt('192.0.2.2', 'new@example.com')).toBe(false)
    expect(await attempt('192.0.2.1', 'new@example.com', 'known')).toBe(false)
  })
})
