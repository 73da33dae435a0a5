import { describe, expect, it } from 'vitest'
import { startApp } from '../../../../test/support/app/app.ts'
import { OWNER } from '../../../../test/support/app/owner.ts'
import { hashPassword, needsRehash, verifyPassword } from './passwords.ts'

const CHEAP = { N: 1024, r: 8, p: 1 }

describe('passwords', () => {
  it('verify in every Unicode normalization form', async () => {
    const hashed = await hashPassword('h\u00e9risson')

    expect(hashed).not.toContain('risson')
    expect(await verifyPassword('he\u0301risson', hashed)).toBe(true)
    expect(await verifyPassword('herisson', hashed)).toBe(false)
    expect(await verifyPassword('', hashed)).toBe(false)
    expect(await verifyPassword('', null)).toBe(false)
  })

  it('are salted', async () => {
    expect(await hashPassword('x')).not.toBe(await hashPassword('x'))
  })

  it('are rehashed at sign-in if the cost was lower', async () => {
    const api = await startApp()
    const cheap = await hashPassword(OWNER.password, CHEAP)
    await api.db.updateTable('users').set({ password_hash: cheap }).execute()
    const signIn = () => api.post('/api/sign_in', { email: OWNER.email, password: OWNER.password })

    expect((await signIn()).status).toBe(204)

    const { password_hash } = await api.db
      .selectFrom('users')
      .select('password_hash')
      .executeTakeFirstOrThrow()
    expect([needsRehash(cheap), needsRehash(password_hash ?? '')]).toEqual([true, false])
    expect((await signIn()).status).toBe(204)
  })
})
