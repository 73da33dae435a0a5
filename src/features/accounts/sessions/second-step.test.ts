import { describe, expect, it } from 'vitest'
import { startApp, startBeside, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import {
  addSecondFactor,
  codeOf,
  cookiesOf,
  forgetUsedCodes,
  PASSWORD,
} from '../../../../test/support/data/second-factors.ts'
import { CODES_PER_ACCOUNT } from '../second-factor/use-code.ts'
import { insertOneTimeToken } from './one-time-tokens-store.ts'

const SECOND_STEP = '/api/sign_in/second_step'
const ME = '/api/users/@me'
const WRONG = { status: 400, body: { attr: 'code' } }
const EXPIRED = {
  status: 400,
  body: { attr: null, detail: 'This sign-in has expired. Enter your password again.' },
}

/** Creates a user with a second factor, and a visitor who knows the password. */
async function start(open: () => Promise<TestApp> = useApp) {
  const api = await open()
  const user = await api.as({ password: PASSWORD })
  const factor = await addSecondFactor(api, user, user.userId)
  const visitor = api.withKey(undefined)
  const signIn = (sent: object = {}) =>
    visitor.post('/api/sign_in', { email: user.email, password: PASSWORD, ...sent })
  const enter = (cookie: string, code: string) => visitor.post(SECOND_STEP, { code }, { cookie })
  const firstStep = async () => cookiesOf(await signIn())
  return { api, user, factor, visitor, signIn, enter, firstStep, code: () => codeOf(factor.secret) }
}

describe('signing in with a second factor', { tags: 'sql' }, () => {
  it('starts a session only after the code', async () => {
    const { visitor, user, signIn, enter, code } = await start()

    const first = await signIn()
    const second = await enter(cookiesOf(first), code())

    expect(first).toMatchObject({ status: 200, body: { methods: ['app', 'recovery'] } })
    expect(first.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^hedgerow_second_step=\w{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
    ])
    expect(second).toMatchObject({ status: 204, text: '' })
    expect(cookiesOf(second)).toMatch(
      /^hedgerow_session=\w{43}; hedgerow_device=[\w.-]+; hedgerow_second_step=$/,
    )
    const { body } = await visitor.get(ME, { cookie: cookiesOf(second) })
    expect(body.id).toBe(user.userId)
  })

  it('lets the first step alone do nothing', async () => {
    const { visitor, api, firstStep } = await start()
    const cookie = await firstStep()
    const token = cookie.split('=')[1] ?? ''

    for (const sent of [cookie, `hedgerow_session=${token}`]) {
      expect((await visitor.get(ME, { cookie: sent })).status).toBe(401)
      expect((await visitor.get(`/api/projects/${api.projectId}`, { cookie: sent })).status).toBe(
        401,
      )
    }
    const reset = { token, password: 'another horse of mine' }
    expect((await visitor.post('/api/reset_password', reset)).body.attr).toBe('token')
  })

  it('responds to a wrong password as for an account without a second factor', async () => {
    const { api, signIn } = await start()
    const { email } = await api.as({ password: PASSWORD })

    const responses = [
      await signIn({ password: 'wrong' }),
      await signIn({ password: 'wrong', email }),
      await signIn({ password: 'wrong', email: 'nobody@example.com' }),
    ]

    const seen = responses.map(({ status, text, headers }) => [
      ...[status, text, headers.getSetCookie()],
    ])
    expect(seen[0]?.[0]).toBe(400)
    expect(seen).toEqual([seen[0], seen[0], seen[0]])
  })

  it('accepts each code once, also from two servers at the same time', async () => {
    const { api, firstStep, enter, code } = await start()
    const beside = await startBeside(api)
    const [mine, theirs] = [await firstStep(), await firstStep()]
    const sent = { code: code() }

    const both = await Promise.all([
      enter(mine, sent.code),
      beside.withKey(undefined).post(SECOND_STEP, sent, { cookie: theirs }),
    ])

    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 400])
    expect(await enter(await firstStep(), sent.code)).toMatchObject(WRONG)
  })

  it('does not accept an older code than the last one', async () => {
    const { factor, firstStep, enter } = await start()
    const [earlier, current] = [codeOf(factor.secret, -1), codeOf(factor.secret)]
    expect((await enter(await firstStep(), current)).status).toBe(204)

    expect(await enter(await firstStep(), earlier)).toMatchObject(WRONG)
  })

  it('accepts each recovery code once, in any spelling', async () => {
    const { factor, firstStep, enter, signIn } = await start()
    const [code = '', another = ''] = factor.recoveryCodes
    const typed = ` ${code.toUpperCase().replaceAll('-', ' ')}`

    expect((await enter(await firstStep(), typed)).status).toBe(204)

    expect(await enter(await firstStep(), code)).toMatchObject(WRONG)
    for (const each of factor.recoveryCodes.slice(1)) {
      expect((await enter(await firstStep(), each)).status).toBe(204)
    }
    expect(await enter(await firstStep(), another)).toMatchObject(WRONG)
    expect((await signIn()).body).toEqual({ methods: ['app'] })
  })

  it('keeps the code when the sign-in has ended meanwhile', async () => {
    const { api, user, firstStep, enter, code } = await start()
    const cookie = await firstStep()
    await api.db.deleteFrom('one_time_tokens').where('user_id', '=', user.userId).execute()
    const sent = code()

    expect(await enter(cookie, sent)).toMatchObject(EXPIRED)

    expect((await enter(await firstStep(), sent)).status).toBe(204)
  })

  it.each(['', '12345', '1234567', 'abcdef', '0000-0000-0000-0000', 'x'.repeat(41), '\u0000'])(
    'rejects the code "%s"',
    async (code) => {
      const { firstStep, enter } = await start()

      expect(await enter(await firstStep(), code)).toMatchObject(WRONG)
    },
  )

  it("rejects the code of another user's app", async () => {
    const { api, firstStep, enter } = await start()
    const other = await api.as({ password: PASSWORD })
    const theirs = await addSecondFactor(api, other, other.userId)
    const cookie = await firstStep()

    expect(await enter(cookie, theirs.recoveryCodes[0] ?? '')).toMatchObject(WRONG)
    expect(await enter(cookie, codeOf(theirs.secret))).toMatchObject(WRONG)
  })

  it.each([
    ['no cookie', ''],
    ['an unknown token', `hedgerow_second_step=${'x'.repeat(43)}`],
  ])('refuses %s', async (_, cookie) => {
    const { enter, code } = await start()

    expect(await enter(cookie, code())).toMatchObject(EXPIRED)
  })

  it('expires after ten minutes, and works once', async () => {
    const { api, user, firstStep, enter, code } = await start()
    const [late, used] = [await firstStep(), await firstStep()]
    expect((await enter(used, code())).status).toBe(204)
    await forgetUsedCodes(api.db, user.userId)

    expect(await enter(used, code())).toMatchObject(EXPIRED)
    const { created_at, expires_at } = await api.db
      .selectFrom('one_time_tokens')
      .selectAll()
      .where('user_id', '=', user.userId)
      .where('used_at', 'is', null)
      .executeTakeFirstOrThrow()
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(600_000)
    const expired = { expires_at: '2020-01-01T00:00:00.000Z' }
    await api.db.updateTable('one_time_tokens').set(expired).execute()
    expect(await enter(late, code())).toMatchObject(EXPIRED)
  })

  it('is throttled by account, even with the right code and from a new sign-in', async () => {
    const { firstStep, enter, code, factor } = await start(startApp)
    const cookie = await firstStep()
    const wrong = Array.from({ length: CODES_PER_ACCOUNT + 2 }, () => enter(cookie, '000000'))
    const statuses = (await Promise.all(wrong)).map(({ status }) => status).toSorted()

    expect(statuses).toEqual([...Array(CODES_PER_ACCOUNT).fill(400), 429, 429])
    expect((await enter(await firstStep(), code())).status).toBe(429)
    expect((await enter(cookie, factor.recoveryCodes[0] ?? '')).status).toBe(429)
  })
})

describe('a new password', () => {
  it('by a link does not pass the second factor', async () => {
    const { api, user, visitor, enter, code } = await start()
    const before = await api.withSession(user.userId)
    const token = await insertOneTimeToken(api.db, 'reset_password', user.userId)
    const password = 'another horse of mine'

    const reset = await visitor.post('/api/reset_password', { token, password })

    expect(reset).toMatchObject({ status: 200, body: { methods: ['app', 'recovery'] } })
    expect(cookiesOf(reset)).not.toContain('hedgerow_session')
    expect((await visitor.get(ME, { cookie: cookiesOf(reset) })).status).toBe(401)
    expect((await before.get(ME)).status).toBe(401)
    expect((await enter(cookiesOf(reset), code())).status).toBe(204)
  })

  it('ends sign-ins that wait for their code', async () => {
    const { api, user, visitor, firstStep, enter, code } = await start()
    const cookie = await firstStep()
    const token = await insertOneTimeToken(api.db, 'reset_password', user.userId)
    await visitor.post('/api/reset_password', { token, password: 'another horse of mine' })

    expect(await enter(cookie, code())).toMatchObject(EXPIRED)
  })

  it('by the set-up link does not pass the second factor of an owner', async () => {
    const { api, user, visitor } = await start()
    const token = await insertOneTimeToken(api.db, 'set_up', user.userId)
    const sent = { token, first_name: 'Jo', email: user.email, password: 'another horse' }

    const response = await visitor.post('/api/set_up', sent)

    expect(response.status).toBe(200)
    expect(cookiesOf(response)).not.toContain('hedgerow_session')
  })
})
