import { describe, expect, it } from 'vitest'
import { DASHBOARDS, startApp } from '../../../../test/support/app/app.ts'
import { startMailServer } from '../../../../test/support/servers/mail-server.ts'
import { MAILS_PER_ACCOUNT } from './reset-mail.ts'

const PATH = '/api/reset_password/mail'
const NEW_PASSWORD = 'another horse of mine'

async function start() {
  const mail = await startMailServer()
  const api = await startApp(undefined, {
    HEDGEROW_SMTP_URL: mail.url,
    HEDGEROW_MAIL_FROM: 'hedgerow@example.com',
    HEDGEROW_URL: 'https://hedgerow.example',
  })
  const user = await api.as({ password: 'correct horse battery staple' })
  const visitor = api.withKey(undefined)
  const ask = (email: string) => visitor.post(PATH, { email })
  return { api, mail, user, visitor, ask }
}

const tokenIn = (source: string | undefined): string =>
  /https:\/\/hedgerow\.example\/reset-password#token=3?D?(\w{43})/.exec(
    (source ?? '').replace(/=\r\n/g, ''),
  )?.[1] ?? ''

describe('a link for a forgotten password', { tags: 'sql' }, () => {
  it('is mailed, works once and ends all sessions', async () => {
    const { api, mail, user, visitor, ask } = await start()
    const browser = await api.withSession(user.userId)
    expect((await visitor.get('/api/sign_in')).body.mails_reset_links).toBe(true)

    expect(await ask(` ${user.email.toUpperCase()} `)).toMatchObject({ status: 204, text: '' })

    const [received] = await mail.waitFor(1)
    expect(received?.to).toEqual([user.email])
    const sent = { token: tokenIn(received?.source), password: NEW_PASSWORD }
    expect((await visitor.post('/api/reset_password', sent)).status).toBe(204)
    expect((await browser.get(DASHBOARDS)).status).toBe(401)
    expect((await visitor.post('/api/reset_password', sent)).body.attr).toBe('token')
    const signedIn = { email: user.email, password: NEW_PASSWORD }
    expect((await visitor.post('/api/sign_in', signedIn)).status).toBe(204)
  })

  it('expires after an hour', async () => {
    const { api, mail, user, ask } = await start()

    await ask(user.email)
    await mail.waitFor(1)

    const { expires_at, created_at } = await api.db
      .selectFrom('one_time_tokens')
      .selectAll()
      .where('user_id', '=', user.userId)
      .executeTakeFirstOrThrow()
    expect(Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 60_000)).toBe(60)
  })

  it('is not mailed to unknown addresses and accounts without a password, with the same response', async () => {
    const { api, mail, user, ask } = await start()
    const passwordless = await api.as({})
    await api.db
      .updateTable('users')
      .set({ password_hash: null })
      .where('id', '=', passwordless.userId)
      .execute()

    const responses = [
      await ask('nobody@example.com'),
      await ask(passwordless.email),
      await ask(user.email),
    ]

    await mail.waitFor(1)
    expect(responses.map(({ status, text }) => [status, text])).toEqual(Array(3).fill([204, '']))
    expect(mail.mails.map(({ to }) => to)).toEqual([[user.email]])
    const tokens = await api.db
      .selectFrom('one_time_tokens')
      .select('user_id')
      .where('kind', '=', 'reset_password')
      .execute()
    expect(tokens.map(({ user_id }) => user_id)).toEqual([user.userId])
  })

  it.each(['nobody@example.com', undefined])('is throttled for %s', async (unknown) => {
    const { user, ask } = await start()
    const email = unknown ?? user.email
    for (let count = 0; count < MAILS_PER_ACCOUNT; count++) await ask(email)

    expect(await ask(email)).toMatchObject({ status: 429, body: { code: 'throttled' } })
    expect((await ask('another@example.com')).status).toBe(204)
  })

  it('is refused without SMTP or a public URL', async () => {
    const api = await startApp()
    const visitor = api.withKey(undefined)

    expect((await visitor.get('/api/sign_in')).body.mails_reset_links).toBe(false)
    expect((await visitor.post(PATH, { email: 'ann@example.com' })).status).toBe(400)
    expect((await visitor.post(PATH, {})).body.attr).toBe('email')
  })
})
