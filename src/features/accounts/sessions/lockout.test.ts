import { describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../../../test/support/app/app.ts'
import { OWNER } from '../../../../test/support/app/owner.ts'
import { TRIES_PER_ACCOUNT } from './sign-in.ts'

const { email, password } = OWNER
const STRANGER = '192.0.2.66'
const HOME = '198.51.100.7'

/** Starts a server that learns client addresses from its proxy. */
const start = () => startApp(undefined, { HEDGEROW_TRUSTED_PROXY: '127.0.0.1' })

const signIn = (api: TestApp, from: string, sent: object = { email, password }, cookie = '') =>
  api.withKey(undefined).post('/api/sign_in', sent, { 'x-forwarded-for': from, cookie })

function guess(api: TestApp, from: string, times: number, of = email) {
  const wrong = { email: of, password: 'wrong' }
  return Promise.all(Array.from({ length: times }, () => signIn(api, from, wrong)))
}

const deviceOf = ({ headers }: { readonly headers: Headers }) =>
  headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith('hedgerow_device='))
    ?.split(';')[0] ?? ''

describe('guessing passwords', () => {
  it('locks the account for the network of the stranger only', async () => {
    const api = await start()

    await guess(api, STRANGER, TRIES_PER_ACCOUNT)

    expect((await signIn(api, STRANGER)).status).toBe(429)
    expect((await signIn(api, HOME)).status).toBe(204)
    expect((await signIn(api, '2001:db8::1')).status).toBe(204)
  })

  it('counts all addresses of an IPv6 network together', async () => {
    const api = await start()
    for (let time = 0; time < TRIES_PER_ACCOUNT; time++) await guess(api, `2001:db8::${time}`, 1)

    expect((await signIn(api, '2001:db8::ffff')).status).toBe(429)
    expect((await signIn(api, '2001:db8:0:1::1')).status).toBe(204)
  })

  it('does not lock out browsers that signed in before', async () => {
    const api = await start()
    const device = deviceOf(await signIn(api, STRANGER))
    await guess(api, STRANGER, TRIES_PER_ACCOUNT)

    expect((await signIn(api, STRANGER)).status).toBe(429)
    expect((await signIn(api, STRANGER, { email, password }, device)).status).toBe(204)
  })

  it('is throttled for a known browser too', async () => {
    const api = await start()
    const device = deviceOf(await signIn(api, HOME))
    const wrong = { email, password: 'wrong' }
    for (let time = 0; time < TRIES_PER_ACCOUNT; time++) await signIn(api, HOME, wrong, device)

    expect((await signIn(api, HOME, { email, password }, device)).status).toBe(429)
    expect((await signIn(api, HOME)).status).toBe(204)
  })

  it('does not reveal which accounts exist', async () => {
    const api = await start()
    const device = deviceOf(await signIn(api, HOME))
    const outcomes = async (of: string) => {
      const sent = { email: of, password: 'wrong' }
      const responses: [number, string][] = []
      for (let time = 0; time <= TRIES_PER_ACCOUNT; time++) {
        const { status, body } = await signIn(api, STRANGER, sent, `${device}x`)
        responses.push([status, body.code])
      }
      return responses
    }

    expect(await outcomes('nobody@example.com')).toEqual(await outcomes(email))
  })
})

describe('a known browser', () => {
  it('is recognized for its own account only', async () => {
    const api = await start()
    const other = await invite(api)
    await guess(api, STRANGER, TRIES_PER_ACCOUNT)

    const { status } = await signIn(api, STRANGER, { email, password }, other.device)

    expect(status).toBe(429)
  })

  it.each(['', 'nonsense', 'a.b', '.', 'hedgerow_device=..'])(
    'is not recognized by the cookie "%s"',
    async (value) => {
      const api = await start()
      await guess(api, STRANGER, TRIES_PER_ACCOUNT)

      const cookie = `hedgerow_device=${value}`

      expect((await signIn(api, STRANGER, { email, password }, cookie)).status).toBe(429)
    },
  )

  it('is forgotten after a password change, except the one that made it', async () => {
    const api = await start()
    const { device, token, ...member } = await invite(api)
    const changed = await api
      .withKey(undefined)
      .post(
        '/api/users/@me/password',
        { current_password: member.password, new_password: 'another four words' },
        { cookie: token, origin: api.url },
      )
    const sent = { email: member.email, password: 'another four words' }
    await guess(api, STRANGER, TRIES_PER_ACCOUNT, member.email)

    expect(changed.status).toBe(204)
    expect((await signIn(api, STRANGER, sent, device)).status).toBe(429)
    expect((await signIn(api, STRANGER, sent, deviceOf(changed))).status).toBe(204)
  })

  it('cannot do anything without the password', async () => {
    const api = await start()
    const cookie = deviceOf(await signIn(api, HOME))

    const { status } = await api.withKey(undefined).get('/api/users/@me', { cookie })

    expect(status).toBe(401)
  })
})

/** Lets a member accept an invite, and returns the cookies of their browser. */
async function invite(api: TestApp) {
  const { body } = await api.post('/api/organizations/@current/invites', { level: 1 })
  const member = { first_name: 'Ann', email: 'ann@example.com', password: 'four words are long' }
  const path = `/api/invites/${body.link.split('/').at(-1)}`
  const response = await api.withKey(undefined).post(path, member)
  const [session = ''] = response.headers.getSetCookie()
  return { ...member, device: deviceOf(response), token: session.split(';')[0] ?? '' }
}
