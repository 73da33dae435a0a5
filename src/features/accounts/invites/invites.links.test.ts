import { describe, expect, it } from 'vitest'
import { startApp, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { OWNER } from '../../../../test/support/app/owner.ts'
import { startMailServer } from '../../../../test/support/servers/mail-server.ts'

const PATH = /^\/invite\/\w{43}$/

async function inviteAt(api: TestApp, host: string) {
  const { body } = await api.app.inject({
    method: 'POST',
    url: '/api/organizations/@current/invites',
    headers: { host, authorization: `Bearer ${OWNER.apiKey}` },
    payload: { level: 1, email: 'ann@example.com' },
  })
  return JSON.parse(body)
}

describe('the link of an invite', () => {
  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '192.168.1.5'])(
    'does not lead to the host %s of the request',
    async (host) => {
      const api = await useApp()

      expect((await inviteAt(api, host)).link).toMatch(PATH)
    },
  )

  it.each(['localhost:8000', '127.0.0.1:8000', '[::1]:8000'])('leads to %s', async (host) => {
    const api = await useApp()

    const { link } = await inviteAt(api, host)

    expect(link.split('/invite/')[0]).toBe(`http://${host}`)
  })

  it('leads to the configured URL', async () => {
    const api = await startApp(undefined, { HEDGEROW_URL: 'https://hedgerow.example' })

    const { link } = await inviteAt(api, 'evil.example')

    expect(link).toMatch(/^https:\/\/hedgerow\.example\/invite\/\w{43}$/)
  })

  it('is not mailed if it would lead to an unknown host', async () => {
    const mail = await startMailServer()
    const api = await startApp(undefined, {
      HEDGEROW_SMTP_URL: mail.url,
      HEDGEROW_MAIL_FROM: 'hedgerow@example.com',
    })

    const invite = await inviteAt(api, 'evil.example')

    expect(invite).toMatchObject({
      link: expect.stringMatching(PATH),
      mailed: false,
      mail_problem: expect.stringContaining('Set HEDGEROW_URL'),
    })
    expect(mail.mails).toEqual([])
  })
})
