import { describe, expect, it } from 'vitest'
import { startApp, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import {
  addSecondFactor,
  codeOf,
  cookiesOf,
  forgetUsedCodes,
  PASSWORD,
  SECOND_FACTOR,
} from '../../../../test/support/data/second-factors.ts'
import { startMailServer } from '../../../../test/support/servers/mail-server.ts'
import { CODES_PER_ACCOUNT } from '../second-factor/use-code.ts'
import { resetSecondFactor } from './second-factor.ts'

const ME = '/api/users/@me'
const CONFIRM = `${SECOND_FACTOR}/confirm`
const CODES = `${SECOND_FACTOR}/recovery_codes`
const REMOVE = `${SECOND_FACTOR}/remove`
const OFF = { is_enabled: false, confirmed_at: null, recovery_codes_left: 0 }

async function start(open: () => Promise<TestApp> = useApp) {
  const api = await open()
  const user = await api.as({ password: PASSWORD })
  const browser = await api.withSession(user.userId)
  const signIn = () =>
    api.withKey(undefined).post('/api/sign_in', { email: user.email, password: PASSWORD })
  return { api, user, browser, signIn }
}

/** Also sets up the second factor. */
async function startWith(open?: () => Promise<TestApp>) {
  const started = await start(open)
  const { api, browser, user } = started
  const factor = await addSecondFactor(api, browser, user.userId)
  const proof = () => ({ current_password: PASSWORD, code: codeOf(factor.secret) })
  return { ...started, factor, proof }
}

describe('setting up a second factor', { tags: 'sql' }, () => {
  it('changes nothing before a code was confirmed', async () => {
    const { browser, signIn } = await start()

    const { status, body } = await browser.post(SECOND_FACTOR, { current_password: PASSWORD })

    expect(status).toBe(201)
    expect(body).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      uri: expect.stringContaining(`secret=${body.secret}`),
    })
    expect((await browser.get(SECOND_FACTOR)).body).toEqual(OFF)
    expect((await signIn()).status).toBe(204)
    expect(await browser.post(CONFIRM, { code: '000000' })).toMatchObject({
      status: 400,
      body: { attr: 'code' },
    })
    expect((await signIn()).status).toBe(204)
  })

  it('shows recovery codes once, and stores neither them nor the secret in plain text', async () => {
    const { api, user, browser, factor } = await startWith()

    expect(factor.recoveryCodes).toHaveLength(10)
    expect((await browser.get(SECOND_FACTOR)).body).toEqual({
      is_enabled: true,
      confirmed_at: expect.any(String),
      recovery_codes_left: 10,
    })
    const rows = [
      await api.db.selectFrom('second_factors').selectAll().execute(),
      await api.db
        .selectFrom('recovery_codes')
        .selectAll()
        .where('user_id', '=', user.userId)
        .execute(),
    ]
    const text = JSON.stringify(rows).toLowerCase()
    expect(text).toContain('sha256$')
    for (const code of factor.recoveryCodes) {
      expect(text).not.toContain(code)
      expect(text).not.toContain(code.replaceAll('-', ''))
    }
    expect(text).toMatch(/"secret":"s1\.[0-9a-f]{16}\./)
    expect(text).not.toContain(factor.secret.toLowerCase())
  })

  it('ends other sessions and keeps this one, keys included', async () => {
    const { api, user, browser } = await start()
    const other = await api.withSession(user.userId)

    await addSecondFactor(api, browser, user.userId)

    expect((await other.get(ME)).status).toBe(401)
    expect((await browser.get(ME)).status).toBe(200)
    expect((await user.get(ME)).status).toBe(200)
  })

  it('does not count the code of the set-up again at sign-in', async () => {
    const { api, browser, signIn } = await start()
    const { body } = await browser.post(SECOND_FACTOR, { current_password: PASSWORD })
    const code = codeOf(body.secret)
    await browser.post(CONFIRM, { code })

    const cookie = cookiesOf(await signIn())
    const again = await api
      .withKey(undefined)
      .post('/api/sign_in/second_step', { code }, { cookie })

    expect(again).toMatchObject({ status: 400, body: { attr: 'code' } })
  })

  it('needs no password of a user without one', async () => {
    const api = await useApp()
    const { userId } = await api.as({})
    const browser = await api.withSession(userId)

    expect((await browser.post(SECOND_FACTOR, {})).status).toBe(201)
  })

  it.each([
    ['current_password', {}],
    ['current_password', { current_password: 'wrong' }],
    ['current_password', { current_password: 'x'.repeat(201) }],
    ['code', { current_password: PASSWORD, code: 7 }],
  ])('rejects an invalid %s: %j', async (attr, sent) => {
    const { browser } = await start()

    expect(await browser.post(SECOND_FACTOR, sent)).toMatchObject({ status: 400, body: { attr } })
    expect((await browser.post(CONFIRM, { code: '123456' })).status).toBe(409)
  })

  it('is for the whole account: a limited key is refused', async () => {
    const { api } = await start()
    const limited = await api.as({ scopes: ['dashboard:write'] })

    for (const path of [SECOND_FACTOR, CONFIRM, CODES, REMOVE]) {
      expect((await limited.post(path, {})).status).toBe(403)
    }
  })
})

describe('a second factor', { tags: 'sql' }, () => {
  it('is replaced with one of its codes, and stays in use until then', async () => {
    const { api, user, browser, factor, proof } = await startWith()
    const { current_password } = proof()
    expect((await browser.post(SECOND_FACTOR, { current_password })).body.attr).toBe('code')

    const { body } = await browser.post(SECOND_FACTOR, proof())
    await forgetUsedCodes(api.db, user.userId)
    const stillOld = await browser.post(CODES, proof())
    const confirmed = await browser.post(CONFIRM, { code: codeOf(body.secret) })
    await forgetUsedCodes(api.db, user.userId)

    expect([stillOld.status, confirmed.status]).toEqual([200, 200])
    expect((await browser.post(CODES, proof())).body.attr).toBe('code')
    const renewed = { current_password, code: codeOf(body.secret) }
    expect((await browser.post(CODES, renewed)).status).toBe(200)
    expect(factor.secret).not.toBe(body.secret)
  })

  it('gets new recovery codes, which invalidate the old ones', async () => {
    const { api, browser, signIn, factor, proof } = await startWith()

    const { body } = await browser.post(CODES, proof())

    const enter = async (code: string) => {
      const cookie = cookiesOf(await signIn())
      const visitor = api.withKey(undefined)
      return (await visitor.post('/api/sign_in/second_step', { code }, { cookie })).status
    }
    expect(body.recovery_codes).toHaveLength(10)
    expect(await enter(factor.recoveryCodes[0] ?? '')).toBe(400)
    expect(await enter(body.recovery_codes[0])).toBe(204)
    expect((await browser.get(SECOND_FACTOR)).body.recovery_codes_left).toBe(9)
  })

  it('is removed with the password and a recovery code, and ends other sessions', async () => {
    const { api, user, browser, signIn, factor } = await startWith()
    const other = await api.withSession(user.userId)
    const waiting = cookiesOf(await signIn())
    const [code = ''] = factor.recoveryCodes

    const { status } = await browser.post(REMOVE, { current_password: PASSWORD, code })

    expect(status).toBe(204)
    expect((await browser.get(SECOND_FACTOR)).body).toEqual(OFF)
    expect((await other.get(ME)).status).toBe(401)
    expect((await signIn()).status).toBe(204)
    const late = { code: codeOf(factor.secret) }
    const visitor = api.withKey(undefined)
    const { body } = await visitor.post('/api/sign_in/second_step', late, { cookie: waiting })
    expect(body.detail).toMatch(/has expired/)
    expect((await browser.post(REMOVE, { current_password: PASSWORD, code })).status).toBe(409)
  })

  it.each([
    ['current_password', { code: '{code}' }],
    ['current_password', { current_password: 'wrong', code: '{code}' }],
    ['code', { current_password: PASSWORD, code: '000000' }],
    ['code', { current_password: PASSWORD }],
  ])('stays without the right %s: %j', async (attr, sent) => {
    const { browser, proof } = await startWith()
    const filled = 'code' in sent && sent.code === '{code}' ? { ...sent, code: proof().code } : sent

    for (const path of [CODES, REMOVE]) {
      expect(await browser.post(path, filled)).toMatchObject({ status: 400, body: { attr } })
    }
    expect((await browser.get(SECOND_FACTOR)).body).toMatchObject({
      is_enabled: true,
      recovery_codes_left: 10,
    })
  })

  it('throttles guesses of its codes', async () => {
    const { browser, proof } = await startWith(startApp)
    for (let time = 0; time < CODES_PER_ACCOUNT; time++) {
      await browser.post(REMOVE, { current_password: PASSWORD, code: '000000' })
    }

    expect((await browser.post(REMOVE, proof())).status).toBe(429)
  })

  it('of another user is not affected', async () => {
    const { api, user, proof, browser } = await startWith()
    const other = await api.as({ password: PASSWORD })
    const theirs = await addSecondFactor(api, other, other.userId)

    await browser.post(REMOVE, proof())

    expect((await other.get(SECOND_FACTOR)).body.recovery_codes_left).toBe(10)
    expect(theirs.recoveryCodes).toHaveLength(10)
    expect((await user.get(SECOND_FACTOR)).body).toEqual(OFF)
  })

  it('ends with the membership', async () => {
    const { api, user } = await startWith()

    await api.delete(`/api/organizations/@current/members/${user.uuid}`)

    for (const table of ['second_factors', 'recovery_codes'] as const) {
      const rows = api.db.selectFrom(table).selectAll().where('user_id', '=', user.userId)
      expect(await rows.execute()).toEqual([])
    }
  })

  it('is reset by the operator, which ends all sessions', async () => {
    const { api, user, browser, signIn } = await startWith()

    expect(await resetSecondFactor(api.db, user.userId)).toBe(true)

    expect((await browser.get(ME)).status).toBe(401)
    expect((await signIn()).status).toBe(204)
    expect(await resetSecondFactor(api.db, user.userId)).toBe(false)
  })
})

it('mails every change to the user', async () => {
  const mail = await startMailServer()
  const { api, user, browser, signIn, factor, proof } = await startWith(() =>
    startApp(undefined, {
      HEDGEROW_SMTP_URL: mail.url,
      HEDGEROW_MAIL_FROM: 'hedgerow@example.com',
    }),
  )
  await mail.waitFor(1)
  const [first = '', second = ''] = factor.recoveryCodes
  const cookie = cookiesOf(await signIn())
  await api.withKey(undefined).post('/api/sign_in/second_step', { code: first }, { cookie })
  await mail.waitFor(2)
  const { body } = await browser.post(SECOND_FACTOR, { current_password: PASSWORD, code: second })
  await browser.post(CONFIRM, { code: codeOf(body.secret) })
  await mail.waitFor(3)
  await forgetUsedCodes(api.db, user.userId)
  const renewed = () => ({ ...proof(), code: codeOf(body.secret) })
  await browser.post(CODES, renewed())
  await mail.waitFor(4)
  await forgetUsedCodes(api.db, user.userId)
  await browser.post(REMOVE, renewed())

  const mails = await mail.waitFor(5)

  expect(new Set(mails.map(({ to }) => to.join()))).toEqual(new Set([user.email]))
  const said = mails.map(
    ({ source }) =>
      /(was set up|with a recovery code|was replaced|recovery codes were created|was removed)/.exec(
        source.replace(/=\r\n/g, '').replace(/\s+/g, ' '),
      )?.[1],
  )
  expect(said).toEqual([
    'was set up',
    'with a recovery code',
    'was replaced',
    'recovery codes were created',
    'was removed',
  ])
  for (const { source } of mails) expect(source).not.toContain(first)
})
