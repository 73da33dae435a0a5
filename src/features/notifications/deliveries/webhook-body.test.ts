import { describe, expect, it } from 'vitest'
import { startTestWorker } from '../../../../test/support/app/import-app.ts'
import { ALERTS, startAlertApp } from '../../../../test/support/data/alerts.ts'
import type { AlertNotification, ImportNotification } from './notification.ts'
import { toStoredTarget } from './targets.ts'
import { toWebhookBody } from './webhook-body.ts'

const FIRING: AlertNotification = {
  event: 'alert.firing',
  project_id: 1,
  alert: { id: 'a', name: 'Few <orders> & more' },
  insight: { id: 2, short_id: 'b', name: '[Orders](https://evil.example)' },
  value: 3,
  previous_value: null,
  condition: { type: 'absolute_value' },
  threshold: { configuration: { type: 'absolute', bounds: { lower: 10 } } },
  usual_range: null,
  checked_at: null,
  path: '/project/1/insights/b',
}
const LINK = 'https://hedgerow.example/project/1/insights/b'

const BROKEN: ImportNotification = {
  event: 'import.failed',
  project_id: 1,
  alert: { id: 'a', name: 'Night watch' },
  import: { config: 3, name: 'Shop' },
  message: 'The key has expired.',
  since: '2026-01-01T00:00:00.000Z',
  path: '/project/1/apps/3',
}

describe('the body of a webhook', () => {
  it('has all fields in JSON', () => {
    const { path: _, ...fields } = FIRING

    expect(toWebhookBody(undefined, FIRING, LINK)).toEqual({ ...fields, url: LINK })
  })

  it('is a message of blocks for Slack, in which names are no markup', () => {
    expect(toWebhookBody('slack', FIRING, LINK)).toEqual({
      text: '[Firing] Few &lt;orders&gt; &amp; more',
      blocks: [
        'The alert "Few &lt;orders&gt; &amp; more" is firing.',
        '*[Orders](https://evil.example)*\nValue: *3*\nLower bound: *10*',
      ]
        .map((text): object => ({ type: 'section', text: { type: 'mrkdwn', text } }))
        .concat({
          type: 'context',
          elements: [{ type: 'mrkdwn', text: `<${LINK}|Open in Hedgerow>` }],
        }),
    })
  })

  it('is an adaptive card for Teams, in which names are no links', () => {
    const body = toWebhookBody('teams', FIRING, LINK) as { attachments: { content: object }[] }

    expect(body).toMatchObject({
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive' }],
    })
    expect(body.attachments[0]?.content).toMatchObject({
      type: 'AdaptiveCard',
      body: [
        { type: 'TextBlock', text: '[Firing] Few <orders> & more' },
        { type: 'TextBlock', text: 'The alert "Few <orders> & more" is firing.' },
        { type: 'TextBlock', text: '[Orders]\u200b(https://evil.example)' },
        {
          type: 'FactSet',
          facts: [
            { title: 'Value', value: '3' },
            { title: 'Lower bound', value: '10' },
          ],
        },
      ],
      actions: [{ type: 'Action.OpenUrl', url: LINK }],
    })
  })

  it.each([
    ['import.failed', '[Import failed] Night watch', 'The import "Shop" fails.'],
    ['import.stale', '[Import late] Night watch', 'The import "Shop" is late.'],
    ['import.recovered', '[Recovered] Night watch', 'The import "Shop" works again.'],
    [
      'import.skipped',
      '[Rows skipped] Night watch',
      'The import "Shop" could not import some rows.',
    ],
    ['import.schema_changed', '[Schema changed] Night watch', 'The events of "Shop" have changed.'],
  ] as const)('says in each format what happened to an import: %s', (event, subject, intro) => {
    const notification = { ...BROKEN, event }
    const { path: _, ...fields } = notification

    expect(toWebhookBody(undefined, notification, LINK)).toEqual({ ...fields, url: LINK })
    expect(toWebhookBody('slack', notification, LINK)).toMatchObject({
      text: subject,
      blocks: [
        { text: { text: intro } },
        { text: { text: `*Shop*\nMessage: *${BROKEN.message}*\nSince: *${BROKEN.since}*` } },
        { elements: [{ text: `<${LINK}|Open in Hedgerow>` }] },
      ],
    })
    const card = JSON.stringify(toWebhookBody('teams', notification, LINK))
    for (const text of [subject, intro, 'Shop', BROKEN.message, BROKEN.since]) {
      expect(card).toContain(JSON.stringify(text))
    }
  })

  it.each(['slack', 'teams'] as const)(
    'has no link in %s without the URL of the server',
    (format) => {
      const text = JSON.stringify(toWebhookBody(format, FIRING, null))

      expect(text).not.toContain('Open in Hedgerow')
    },
  )
})

describe('the format of a webhook', () => {
  it.each([
    ['https://hooks.slack.com/services/T/B/x', 'slack'],
    ['https://prod-1.westeurope.logic.azure.com/workflows/x', 'teams'],
    ['https://a.webhook.office.com/webhookb2/x', 'teams'],
    ['https://a.b.environment.api.powerplatform.com/x', 'teams'],
    ['https://hooks.slack.com.evil.example/x', undefined],
    ['https://example.com/hooks.slack.com', undefined],
  ])('of %s is %s', (url, format) => {
    expect(toStoredTarget('webhook', url)).toEqual({
      type: 'webhook',
      url,
      ...(format && { format }),
    })
  })

  it('can be chosen, and is sent', async () => {
    const api = await startAlertApp()
    const target = { type: 'webhook', url: `${api.receiver.url}/hook`, format: 'slack' }
    const alert = await api.createAlert({ targets: [target] })
    expect(alert.targets).toEqual([target])

    const { body: queued } = await api.post(`${ALERTS}/${alert.id}/test`)
    startTestWorker(api)

    expect(queued[0].target).toEqual(target)
    const [received] = await api.receiver.waitFor(1)
    expect(received?.body).toMatchObject({
      text: expect.stringMatching(/^\[Test\]/),
      blocks: expect.any(Array),
    })
    const refused = await api.patch(`${ALERTS}/${alert.id}`, {
      targets: [{ ...target, format: 'irc' }],
    })
    expect([refused.status, refused.body.attr]).toEqual([400, 'targets__0__format'])
  })
})
