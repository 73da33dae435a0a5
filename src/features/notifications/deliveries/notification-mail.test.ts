import { describe, expect, it } from 'vitest'
import { CONFIGS } from '../../../../test/support/app/app.ts'
import { startTestWorker } from '../../../../test/support/app/import-app.ts'
import { ALERTS, SUBSCRIPTIONS, startAlertApp } from '../../../../test/support/data/alerts.ts'
import { startMailServer } from '../../../../test/support/servers/mail-server.ts'
import { until } from '../../../../test/support/until.ts'

const FROM = { HEDGEROW_MAIL_FROM: 'Hedgerow <hedgerow@example.com>' }

async function startWithMail() {
  const mail = await startMailServer()
  const api = await startAlertApp({ HEDGEROW_SMTP_URL: mail.url, ...FROM })
  return { api, mail }
}

const to = (address: string) => ({ targets: [{ type: 'email', address }] })

/** Undoes quoted-printable encoding. */
const decode = (source: string) =>
  source
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

describe('notification mail', () => {
  it('announces a firing alert in text and HTML, with a link', async () => {
    const { api, mail } = await startWithMail()
    await api.order(3)
    await api.createAlert({ ...to('jo@example.com'), name: 'Too <many> orders' })

    startTestWorker(api)

    const [received] = await mail.waitFor(1)
    expect(received?.to).toEqual(['jo@example.com'])
    const source = decode(received?.source ?? '')
    expect(source).toContain('From: Hedgerow <hedgerow@example.com>')
    expect(source).toContain('Subject: [Firing] Too <many> orders')
    expect(source).toContain('The alert "Too <many> orders" is firing.')
    expect(source).toContain('  Value: 3')
    expect(source).toContain('  Upper bound: 2')
    expect(source).toContain('Too &lt;many&gt; orders')
    expect(source).toContain(`href="${api.url}/project/1/insights/${api.insight.short_id}"`)
  })

  it('names the import of an alert, with a link to it', async () => {
    const { api, mail } = await startWithMail()
    await api.post(CONFIGS, { plugin: 5, name: 'Shop' })
    const source = { kind: 'import', config: 1 }
    const alert = { ...to('jo@example.com'), source, on: ['failed'], name: 'Night watch' }
    const { body } = await api.post(ALERTS, alert)
    await api.post(`${ALERTS}/${body.id}/test`)

    startTestWorker(api)

    const [received] = await mail.waitFor(1)
    const text = decode(received?.source ?? '')
    expect(text).toContain('Subject: [Test] Night watch')
    expect(text).toContain('This is a test of the alert on the import "Shop".')
    expect(text).toContain(`href="${api.url}/project/1/apps/1"`)
  })

  it('contains the results of a subscription', async () => {
    const { api, mail } = await startWithMail()
    await api.order(4)
    const target = { target_type: 'email', target_value: 'jo@example.com' }
    const subscription = { insight: api.insight.id, frequency: 'daily', title: 'The day\nbefore' }
    await api.post(SUBSCRIPTIONS, { ...subscription, ...target })
    const next_delivery_date = '2020-01-01T00:00:00.000Z'
    await api.db.updateTable('subscriptions').set({ next_delivery_date }).execute()

    startTestWorker(api)

    const [received] = await mail.waitFor(1)
    const source = decode(received?.source ?? '')
    expect(source).toContain('Subject: The day before')
    expect(source).toMatch(/Orders\r?\n {2}order: 4/)
  })

  it('is retried when the mail server refuses it, and the error hides the password', async () => {
    const mail = await startMailServer()
    const wrong = mail.url.replace(':pass@', ':hunter2@')
    const api = await startAlertApp({ HEDGEROW_SMTP_URL: wrong, ...FROM })
    const { id } = await api.createAlert(to('jo@example.com'))
    await api.post(`${ALERTS}/${id}/test`)

    startTestWorker(api)

    const delivery = await until(async () => {
      const { body } = await api.get(`${ALERTS}/${id}/deliveries`)
      return body.results[0].error !== '' && body.results[0]
    })
    expect(delivery).toMatchObject({ state: 'queued', attempt: 1, response_status: null })
    expect(delivery.error).toMatch(/Invalid login/)
    expect(delivery.error).not.toContain('hunter2')
  })

  it('rejects invalid addresses', async () => {
    const { api } = await startWithMail()
    const { id } = await api.createAlert(to('jo@example.com'))
    const addresses = [
      'jo',
      'jo@example',
      'jo@example.com, eve@example.com',
      'jo@example.com\r\nBcc: eve@example.com',
      'Jo <jo@example.com>',
      'jo@[10.0.0.1].x',
      '',
    ]

    for (const address of addresses) {
      expect(await api.patch(`${ALERTS}/${id}`, to(address)), address).toMatchObject({
        status: 400,
        body: { attr: 'targets__0__address' },
      })
    }
  })
})
