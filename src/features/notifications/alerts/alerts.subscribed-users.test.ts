import { describe, expect, it } from 'vitest'
import { startTestWorker } from '../../../../test/support/app/import-app.ts'
import { ALERTS, above, startAlertApp } from '../../../../test/support/data/alerts.ts'
import { startMailServer } from '../../../../test/support/servers/mail-server.ts'

/** Starts the service with e-mail. */
async function startWithMail() {
  const mail = await startMailServer()
  const env = { HEDGEROW_SMTP_URL: mail.url, HEDGEROW_MAIL_FROM: 'hedgerow@example.com' }
  const api = await startAlertApp(env)
  /** Creates an alert without `targets`. */
  const subscribe = (users: readonly unknown[], body = {}) =>
    api.post(ALERTS, { insight: api.insight.id, ...above(2), subscribed_users: users, ...body })
  return { ...api, mail, subscribe }
}

describe('subscribed users of an alert', () => {
  it('get an e-mail each, while webhooks stay', async () => {
    const api = await startWithMail()
    const [ada, bob] = [await api.as({}), await api.as({})]
    const targets = [{ type: 'webhook', url: `${api.receiver.url}/hook` }]
    await api.order(3)

    const { status, body } = await api.subscribe([bob.userId, ada.userId], { targets })

    expect(status).toBe(201)
    expect(body.subscribed_users).toMatchObject([{ uuid: ada.uuid }, { uuid: bob.uuid }])
    startTestWorker(api)
    const mails = await api.mail.waitFor(2)
    await api.receiver.waitFor(1)
    const addresses = body.subscribed_users.map(({ email }: { email: string }) => email)
    expect(mails.flatMap(({ to }) => to).toSorted()).toEqual(addresses.toSorted())
  })

  it('are sent back as they were read, and stay when only other fields change', async () => {
    const api = await startWithMail()
    const ada = await api.as({})
    const { body: created } = await api.subscribe([ada.userId])
    const { signing_secret: _, ...before } = created
    const path = `${ALERTS}/${before.id}`

    expect((await api.patch(path, before)).body).toEqual(before)
    expect((await api.patch(path, { name: 'Other' })).body).toEqual({ ...before, name: 'Other' })
    expect((await api.get(`${path}/activity`)).body.count).toBe(2)
  })

  it('who lose access are neither listed nor notified', async () => {
    const api = await startWithMail()
    const ada = await api.as({})
    const { body: alert } = await api.subscribe([ada.userId, 1])

    await api.delete(`members/${ada.uuid}`)

    const { body: read } = await api.get(`${ALERTS}/${alert.id}`)
    expect(read.subscribed_users.map(({ id }: { id: number }) => id)).toEqual([1])
    const { body: sent } = await api.post(`${ALERTS}/${alert.id}/test`)
    expect(sent).toMatchObject([{ target: { type: 'email', address: read.created_by.email } }])
  })

  it('get one e-mail if their address is a target too', async () => {
    const api = await startWithMail()
    const { body: me } = await api.get('/api/users/@me')
    const targets = [{ type: 'email', address: me.email }]
    const { body: alert } = await api.subscribe([me.id], { targets })

    const { body: sent } = await api.post(`${ALERTS}/${alert.id}/test`)

    expect(sent).toMatchObject([{ target: { address: me.email } }])
  })

  it('must have access to the project', async () => {
    const api = await startWithMail()
    const stranger = await api.as({ memberOf: [await api.createProject()] })

    const [hidden, missing] = [await api.subscribe([stranger.userId]), await api.subscribe([98765])]

    expect(hidden).toMatchObject({
      status: 400,
      body: { code: 'does_not_exist', attr: 'subscribed_users' },
    })
    expect(missing.body.detail.replace('98765', '#')).toBe(
      hidden.body.detail.replace(`${stranger.userId}`, '#'),
    )
  })

  it('or targets are required', async () => {
    const api = await startWithMail()
    const { body: alert } = await api.subscribe([1])

    const refused = [
      await api.subscribe([]),
      await api.subscribe(['1']),
      await api.patch(`${ALERTS}/${alert.id}`, { subscribed_users: [] }),
    ]

    expect(refused.map(({ status, body }) => [status, body.attr])).toEqual([
      [400, 'targets'],
      [400, 'subscribed_users__0'],
      [400, 'targets'],
    ])
    expect((await api.get(`${ALERTS}/${alert.id}`)).body.subscribed_users).toHaveLength(1)
  })

  it('are refused by a server that cannot send e-mail', async () => {
    const api = await startAlertApp()

    const body = { insight: api.insight.id, ...above(2), subscribed_users: [1] }

    expect(await api.post(ALERTS, body)).toMatchObject({
      status: 400,
      body: { attr: 'subscribed_users', detail: expect.stringContaining('HEDGEROW_SMTP_URL') },
    })
  })
})

describe('quiet hours of an alert', () => {
  it('are refused by name, and null means none', async () => {
    const api = await startAlertApp()
    const { id } = await api.createAlert({ schedule_restriction: null })
    const schedule_restriction = { blocked_windows: [{ start: '22:00', end: '07:00' }] }

    expect(await api.patch(`${ALERTS}/${id}`, { schedule_restriction })).toMatchObject({
      status: 400,
      body: { attr: 'schedule_restriction' },
    })
    expect((await api.patch(`${ALERTS}/${id}`, { schedule_restriction: null })).status).toBe(200)
  })
})
