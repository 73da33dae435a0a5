import { createHmac } from 'node:crypto'
import { sign as signForGitHub } from '@octokit/webhooks-methods'
import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { CONFIGS, startApp } from '../../../../test/support/app/app.ts'
import { startTestWorker } from '../../../../test/support/app/import-app.ts'
import { until } from '../../../../test/support/until.ts'

const WEBHOOK = 5
const CONFIG = `${CONFIGS}/1`
const SECRET = 'whsec_1f2e3d4c5b6a'
const JSON_TYPE = 'application/json'

interface Service {
  readonly settings: object
  readonly type: string
  readonly body: string
  /** Returns the headers of the service beside the type. */
  toHeaders(body: string): Promise<Record<string, string>> | Record<string, string>
  /** The expected event, person, time and property. */
  readonly stored: readonly [event: string, person: string, time: string | null, property: object]
  /** Services whose deliveries are numbered, so that one that is repeated is known. */
  readonly isNumbered: boolean
}

const hmac = (...parts: string[]) => createHmac('sha256', SECRET).update(parts.join(''))

/**
 * Requests as the documentation of each service shows them, signed by its own package where there is one. None was
 * recorded from the live service.
 */
const SERVICES: Readonly<Record<string, Service>> = {
  Stripe: {
    settings: {
      verify: 'stripe',
      event: 'type',
      distinct_id: 'data.object.customer',
      timestamp: 'created',
      properties: 'data.object.amount, data.object.currency',
    },
    type: 'application/json; charset=utf-8',
    body: JSON.stringify(
      {
        id: 'evt_3Qh1',
        object: 'event',
        api_version: '2025-09-30',
        created: 1_767_261_600,
        data: {
          object: {
            id: 'pi_3Qh1',
            object: 'payment_intent',
            amount: 1999,
            currency: 'eur',
            customer: 'cus_42',
          },
        },
        livemode: false,
        type: 'payment_intent.succeeded',
      },
      null,
      2,
    ),
    toHeaders: (body) => ({
      'stripe-signature': new Stripe('sk_test_x').webhooks.generateTestHeaderString({
        payload: body,
        secret: SECRET,
      }),
    }),
    stored: [
      'payment_intent.succeeded',
      'cus_42',
      '2026-01-01T10:00:00.000Z',
      { 'data.object.amount': 1999 },
    ],
    isNumbered: true,
  },
  GitHub: {
    settings: {
      verify: 'github',
      event: 'push',
      distinct_id: 'sender.login',
      timestamp: 'head_commit.timestamp',
      properties: 'ref, repository.full_name',
    },
    type: JSON_TYPE,
    body: JSON.stringify({
      ref: 'refs/heads/main',
      repository: { id: 7, full_name: 'octo/garden' },
      sender: { login: 'ada', id: 1 },
      head_commit: { id: 'a1', timestamp: '2026-01-02T12:30:00+02:00', message: 'Grüße' },
    }),
    toHeaders: async (body) => ({
      'x-github-event': 'push',
      'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
      'x-hub-signature-256': await signForGitHub(SECRET, body),
    }),
    stored: ['push', 'ada', '2026-01-02T10:30:00.000Z', { 'repository.full_name': 'octo/garden' }],
    isNumbered: true,
  },
  Shopify: {
    settings: {
      verify: 'shopify',
      event: 'order',
      distinct_id: 'customer.email',
      timestamp: 'created_at',
      properties: 'total_price',
    },
    type: JSON_TYPE,
    body: JSON.stringify({
      id: 820_982_911_946_154_500,
      email: 'jon@example.com',
      created_at: '2026-01-03T09:00:00-05:00',
      total_price: '403.00',
      customer: { id: 1, email: 'jon@example.com' },
    }),
    toHeaders: (body) => ({
      'x-shopify-topic': 'orders/create',
      'x-shopify-shop-domain': 'garden.example.com',
      'x-shopify-webhook-id': 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043',
      'x-shopify-hmac-sha256': hmac(body).digest('base64'),
    }),
    stored: ['order', 'jon@example.com', '2026-01-03T14:00:00.000Z', { total_price: '403.00' }],
    isNumbered: true,
  },
  Slack: {
    settings: {
      verify: 'slack',
      event: 'event.type',
      distinct_id: 'event.user',
      timestamp: 'event_time',
      properties: 'event.channel',
    },
    type: JSON_TYPE,
    body: JSON.stringify({
      token: 'x',
      team_id: 'T1',
      event: { type: 'member_joined_channel', user: 'U7', channel: 'C9' },
      type: 'event_callback',
      event_id: 'Ev9UQ52YNA',
      event_time: 1_767_430_800,
    }),
    toHeaders(body) {
      const at = String(Math.floor(Date.now() / 1000))
      const signature = `v0=${hmac('v0:', at, ':', body).digest('hex')}`
      return { 'x-slack-request-timestamp': at, 'x-slack-signature': signature }
    },
    stored: ['member_joined_channel', 'U7', '2026-01-03T09:00:00.000Z', { 'event.channel': 'C9' }],
    isNumbered: true,
  },
  'Cal.com': {
    settings: {
      verify: 'hmac-sha256',
      header: 'X-Cal-Signature-256',
      event: 'triggerEvent',
      distinct_id: 'payload.attendees.0.email',
      timestamp: 'createdAt',
      properties: 'payload.title',
    },
    type: JSON_TYPE,
    body: JSON.stringify({
      triggerEvent: 'BOOKING_CREATED',
      createdAt: '2026-01-04T08:00:00.000Z',
      payload: {
        title: '30 minutes',
        startTime: '2026-01-08T14:00:00Z',
        attendees: [{ email: 'grace@example.com', name: 'Grace', timeZone: 'Europe/London' }],
      },
    }),
    toHeaders: (body) => ({ 'x-cal-signature-256': hmac(body).digest('hex') }),
    stored: [
      'BOOKING_CREATED',
      'grace@example.com',
      '2026-01-04T08:00:00.000Z',
      { 'payload.title': '30 minutes' },
    ],
    isNumbered: false,
  },
  'an HTML form': {
    settings: { verify: 'none', event: 'form sent', distinct_id: 'email' },
    type: 'application/x-www-form-urlencoded',
    body: 'email=linus%40example.com&topic=press+kit&note=Gr%C3%BC%C3%9Fe',
    toHeaders: () => ({ origin: 'https://garden.example.com' }),
    stored: ['form sent', 'linus@example.com', null, { topic: 'press kit', note: 'Grüße' }],
    isNumbered: false,
  },
}

describe.each(Object.entries(SERVICES))('a request of %s', (_, service) => {
  it('is verified, stored with its person and time, and once for each delivery', async () => {
    const { settings, type, body, isNumbered } = service
    const api = await startApp()
    await api.post(CONFIGS, { plugin: WEBHOOK, enabled: true })
    await api.patch(`${CONFIG}/settings`, { settings: { ...settings, secret: SECRET } })
    const address = api.address((await api.get(`${CONFIG}/address`)).body.path)
    const send = async (signed: string, sent = signed) => {
      const headers = { 'content-type': type, ...(await service.toHeaders(signed)) }
      return (await fetch(address, { method: 'POST', headers, body: sent })).status
    }
    const isSigned = service.settings !== SERVICES['an HTML form']?.settings

    const sentAt = new Date().toISOString()
    expect([await send(body), await send(body)]).toEqual([200, 200])
    if (isSigned) expect(await send(body, `${body} `)).toBe(401)
    startTestWorker(api)
    const count = isNumbered ? 1 : 2
    await until(async () => (await api.get(`${CONFIG}/requests?state=done`)).body.count === count)

    const [event, person, time, property] = service.stored
    const stored = await api.services.events.list(1, { limit: 10, offset: 0 })
    expect(stored).toHaveLength(count)
    expect(stored[0]).toMatchObject({ event, distinct_id: person })
    expect(JSON.parse(stored[0]?.properties as string)).toMatchObject(property)
    const stamp = new Date(stored[0]?.timestamp as string).toISOString()
    if (time === null) expect(stamp >= sentAt).toBe(true)
    else expect(stamp).toBe(time)
  })
})
