import { createHook } from 'node:async_hooks'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startApp } from '../../../test/app.ts'
import { OWNER } from '../../../test/owner.ts'
import { createPasswordThrottle, TRIES_PER_ADDRESS, tryPassword } from './sign-in.ts'

/** How often a password is hashed from now on. */
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

describe('trying passwords', () => {
  it('is as much work for an e-mail of nobody as for a wrong password', async () => {
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

  it('is held up by address too, whatever the e-mail', async () => {
    const throttle = createPasswordThrottle()
    const attempt = (address: string, email: string) =>
      tryPassword(throttle, address, email, async () => false)
    for (let time = 0; time < TRIES_PER_ADDRESS; time++) {
      await attempt('192.0.2.1', `${time}@example.com`)
    }

    await expect(attempt('192.0.2.1', 'new@example.com')).rejects.toMatchObject({ statusCode: 429 })
    expect(await attempt('192.0.2.2', 'new@example.com')).toBe(false)
  })
})
