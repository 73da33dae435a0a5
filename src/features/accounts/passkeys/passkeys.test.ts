import { describe, expect, it } from 'vitest'
import { startApp } from '../../../../test/support/app/app.ts'
import {
  addPasskey,
  createDevice,
  type Deviation,
  PASSKEYS,
  SIGN_IN,
  SITE,
} from '../../../../test/support/data/passkeys.ts'
import {
  addSecondFactor,
  codeOf,
  cookiesOf,
  PASSWORD,
} from '../../../../test/support/data/second-factors.ts'
import { resetSecondFactor } from '../account/second-factor.ts'

async function start() {
  const api = await startApp(undefined, { HEDGEROW_URL: SITE })
  const member = await api.as({ password: PASSWORD })
  const visitor = api.withKey(undefined)
  const options = async () => (await visitor.post(`${SIGN_IN}/options`)).body
  const signIn = (credential: object) => visitor.post(SIGN_IN, { credential })
  return { api, member, visitor, options, signIn }
}

const proof = { current_password: PASSWORD }
const enforced = { enforce_2fa: true, second_factor_grace_days: 0 }

describe('a passkey', { tags: 'sql' }, () => {
  it('signs its user in without a password', async () => {
    const { api, member, options, signIn } = await start()
    const { device, created } = await addPasskey(member, proof)
    expect(created.passkey).toMatchObject({ name: 'Laptop', last_used_at: null })

    const response = await signIn(device.get(await options(), { userHandle: member.uuid }))

    expect(response.status).toBe(204)
    const cookie = cookiesOf(response)
    const me = await api.withKey(undefined).get('/api/users/@me', { cookie })
    expect(me.body).toMatchObject({ email: member.email, is_2fa_enabled: true })
    const { results } = (await member.get(PASSKEYS)).body
    expect(results).toEqual([{ ...created.passkey, last_used_at: expect.any(String) }])
  })

  it.each<[string, Deviation]>([
    ['another site', { origin: 'https://evil.example' }],
    ['another site as relying party', { rpId: 'evil.example' }],
    ['a device that has not verified the user', { isUnverified: true }],
    ['another user', { userHandle: '0b0f3c0e-0000-4000-8000-000000000000' }],
    ['a registration', { type: 'webauthn.create' }],
    ['an invented challenge', { challenge: 'aW52ZW50ZWQgY2hhbGxlbmdl' }],
  ])('does not sign in with the signature for %s', async (_, deviation) => {
    const { member, options, signIn } = await start()
    const { device } = await addPasskey(member, proof)

    const refused = await signIn(device.get(await options(), deviation))

    expect(refused).toMatchObject({ status: 400, body: { attr: null } })
    expect(refused.headers.get('set-cookie')).toBeNull()
  })

  it('does not sign in with the key of another device, or one that is not known', async () => {
    const { member, options, signIn } = await start()
    const { device } = await addPasskey(member, proof)
    const other = createDevice()
    const forged = { ...other.get(await options()), id: device.get({ challenge: 'x' }).id }

    expect((await signIn({ ...forged, rawId: forged.id })).status).toBe(400)
    expect((await signIn(other.get(await options()))).status).toBe(400)
  })

  it('accepts each challenge once, for five minutes, and of its own kind', async () => {
    const { api, member, options, signIn } = await start()
    const { device } = await addPasskey(member, proof)
    const assertion = device.get(await options())

    const both = await Promise.all([signIn(assertion), signIn(assertion)])
    const registration = (await member.post(`${PASSKEYS}/options`, proof)).body
    const late = await options()
    const expired = { expires_at: new Date().toISOString() }
    const stranger = await api.as({})
    const taken = { name: 'x', credential: createDevice().create(registration) }

    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 400])
    expect((await signIn(assertion)).status).toBe(400)
    expect((await signIn(device.get(registration))).status).toBe(400)
    expect((await stranger.post(PASSKEYS, taken)).body.attr).toBe('credential')
    await api.db.updateTable('passkey_challenges').set(expired).execute()
    expect((await signIn(device.get(late))).status).toBe(400)
    expect((await member.post(PASSKEYS, taken)).body.attr).toBe('credential')
  })

  it('is refused if its counter has not moved on', async () => {
    const { member, options, signIn } = await start()
    const { device } = await addPasskey(member, proof)

    const statuses = []
    for (const counter of [5, 5, 4, 0, 6]) {
      statuses.push((await signIn(device.get(await options(), { counter }))).status)
    }

    expect(statuses).toEqual([204, 400, 400, 400, 204])
  })

  it('is asked for after the password, or a recovery code in its place', async () => {
    const { member, visitor } = await start()
    const { created } = await addPasskey(member, proof)
    const [code] = created.recovery_codes

    const first = await visitor.post('/api/sign_in', { email: member.email, password: PASSWORD })
    const cookie = cookiesOf(first)
    const second = await visitor.post('/api/sign_in/second_step', { code }, { cookie })

    expect(first).toMatchObject({ status: 200, body: { methods: ['passkey', 'recovery'] } })
    expect(second.status).toBe(204)
  })

  it('brings recovery codes only as the first second factor', async () => {
    const { member } = await start()

    const first = await addPasskey(member, proof)
    const second = await addPasskey(member, proof)

    expect(first.created.recovery_codes).toHaveLength(10)
    expect(second.created.recovery_codes).toBeNull()
  })

  it('ends other sessions as the first second factor, and when it is deleted', async () => {
    const { api, member } = await start()
    const first = await api.withSession(member.userId)
    const { created } = await addPasskey(member, proof)
    expect((await first.get('/api/users/@me')).status).toBe(401)
    const second = await api.withSession(member.userId)

    await member.post(`${PASSKEYS}/${created.passkey.id}/remove`, proof)

    expect((await second.get('/api/users/@me')).status).toBe(401)
  })

  it('is created and deleted only with the password, and a code if there is an app', async () => {
    const { api, member } = await start()
    const { created } = await addPasskey(member, proof)
    const remove = `${PASSKEYS}/${created.passkey.id}/remove`
    const { secret } = await addSecondFactor(api, member, member.userId)

    for (const path of [`${PASSKEYS}/options`, remove]) {
      expect((await member.post(path, {})).body.attr).toBe('current_password')
      const wrong = { current_password: 'wrong' }
      expect((await member.post(path, wrong)).body.attr).toBe('current_password')
      expect((await member.post(path, proof)).body.attr).toBe('code')
      expect((await member.post(path, { ...proof, code: '000000' })).body.attr).toBe('code')
    }
    expect((await member.get(PASSKEYS)).body.results).toHaveLength(1)
    const stranger = await api.as({ password: PASSWORD })
    expect((await stranger.post(remove, proof)).status).toBe(404)
    expect((await member.post(remove, { ...proof, code: codeOf(secret) })).status).toBe(204)
    expect((await member.get(PASSKEYS)).body.results).toEqual([])
  })

  it('counts as the second factor that the organization requires, and stays then', async () => {
    const { api, member } = await start()
    const { created } = await addPasskey(member, proof)
    await api.patch('/api/organizations/@current', enforced)
    const browser = await api.withSession(member.userId)
    const without = await api.withSession((await api.as({})).userId)
    const remove = `${PASSKEYS}/${created.passkey.id}/remove`

    expect((await browser.get('/api/projects')).status).toBe(200)
    expect((await without.get('/api/projects')).status).toBe(403)
    expect((await member.post(remove, proof)).status).toBe(409)
    expect((await member.get(PASSKEYS)).body.results).toHaveLength(1)

    await api.patch('/api/organizations/@current', { enforce_2fa: false })
    expect((await member.post(remove, proof)).status).toBe(204)
    expect((await member.get('/api/users/@me')).body.is_2fa_enabled).toBe(false)
  })

  it('ends with the second factors that an operator removes, and with its user', async () => {
    const { api, member, options, signIn } = await start()
    const { device } = await addPasskey(member, proof)
    expect(await resetSecondFactor(api.db, member.userId)).toBe(true)
    expect((await signIn(device.get(await options()))).status).toBe(400)

    const { device: second } = await addPasskey(member, proof)
    await api.delete(`/api/organizations/@current/members/${member.uuid}`)

    expect((await signIn(second.get(await options()))).status).toBe(400)
  })

  it('is not offered at an address without a name', async () => {
    const api = await startApp()

    expect((await api.get(PASSKEYS)).body).toEqual({ results: [], is_available: false })
    expect((await api.get('/api/sign_in')).body.passkeys).toBe(false)
    const refused = await api.post(`${SIGN_IN}/options`)
    expect(refused.body.detail).toContain('HEDGEROW_URL')
  })

  it('is for owners alone where the identity provider is the only way in', async () => {
    const api = await startApp(undefined, {
      HEDGEROW_URL: SITE,
      HEDGEROW_OIDC_ISSUER: 'https://id.example',
      HEDGEROW_OIDC_CLIENT_ID: 'x',
      HEDGEROW_OIDC_ONLY: 'yes',
    })
    const visitor = api.withKey(undefined)
    const statuses = []

    for (const level of [8, 15] as const) {
      const user = await api.as({ level, password: PASSWORD })
      const { device } = await addPasskey(user, proof)
      const { body } = await visitor.post(`${SIGN_IN}/options`)
      const { status } = await visitor.post(SIGN_IN, { credential: device.get(body) })
      statuses.push(status)
    }

    expect(statuses).toEqual([403, 204])
  })
})
