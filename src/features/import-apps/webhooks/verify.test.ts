import { createHmac } from 'node:crypto'
import { sign as signForGitHub } from '@octokit/webhooks-methods'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { VERIFY_KINDS, type VerifyKind } from '../plugins/package/receives.ts'
import { isVerified } from './verify.ts'

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBzZW5kZXI='
const BODY = '{"id":"evt_1","amount":1200,"name":"Zoë"}'
const NOW = Date.parse('2026-03-01T12:00:00Z')
const SECONDS = NOW / 1000

const hmac = (text: string) => createHmac('sha256', SECRET).update(text)

/** The headers that each service sends, signed by its own package where there is one. */
const SIGNED: Readonly<Record<Exclude<VerifyKind, 'none'>, () => Promise<Record<string, string>>>> =
  {
    async stripe() {
      const header = new Stripe('sk_test_x').webhooks.generateTestHeaderString({
        payload: BODY,
        secret: SECRET,
        timestamp: SECONDS,
      })
      return { 'stripe-signature': header }
    },
    github: async () => ({ 'x-hub-signature-256': await signForGitHub(SECRET, BODY) }),
    async slack() {
      const signature = `v0=${hmac(`v0:${SECONDS}:${BODY}`).digest('hex')}`
      return { 'x-slack-request-timestamp': `${SECONDS}`, 'x-slack-signature': signature }
    },
    shopify: async () => ({ 'x-shopify-hmac-sha256': hmac(BODY).digest('base64') }),
    async 'standard-webhooks'() {
      const signature = new Webhook(SECRET).sign('msg_1', new Date(NOW), BODY)
      return {
        'webhook-id': 'msg_1',
        'webhook-timestamp': `${SECONDS}`,
        'webhook-signature': `v1,bm90IHRoaXM= ${signature}`,
      }
    },
    'hmac-sha256': async () => ({ 'x-signature': hmac(BODY).digest('hex') }),
    basic: async () => ({ authorization: `Basic ${Buffer.from(SECRET).toString('base64')}` }),
    token: async () => ({ authorization: `Bearer ${SECRET}` }),
  }

const KINDS = VERIFY_KINDS.filter((kind) => kind !== 'none')
const TIMED: readonly VerifyKind[] = ['stripe', 'slack', 'standard-webhooks']

const verify = (
  kind: VerifyKind,
  headers: Readonly<Record<string, string>>,
  { body = BODY, secret = SECRET, header = '', time = NOW } = {},
) => isVerified({ kind, secret, header }, { headers, body: Buffer.from(body) }, time)

describe.each(KINDS)('a request with the signature of %s', (kind) => {
  it('is accepted', async () => {
    expect(verify(kind, await SIGNED[kind]())).toBe(true)
  })

  it('is refused with another secret, with none, and without the signature', async () => {
    const headers = await SIGNED[kind]()

    expect(verify(kind, headers, { secret: 'd3Jvbmc=' })).toBe(false)
    expect(verify(kind, headers, { secret: '' })).toBe(false)
    expect(verify(kind, {})).toBe(false)
  })

  it.runIf(kind !== 'basic' && kind !== 'token')('is refused if the body differs', async () => {
    expect(verify(kind, await SIGNED[kind](), { body: `${BODY} ` })).toBe(false)
  })

  it.runIf(TIMED.includes(kind))('is refused if it is old or from the future', async () => {
    const headers = await SIGNED[kind]()

    expect(verify(kind, headers, { time: NOW + 299_000 })).toBe(true)
    expect(verify(kind, headers, { time: NOW + 301_000 })).toBe(false)
    expect(verify(kind, headers, { time: NOW - 301_000 })).toBe(false)
  })
})

describe('a signature by HMAC', () => {
  it.each([
    ['hexadecimal', () => hmac(BODY).digest('hex')],
    ['capitals', () => hmac(BODY).digest('hex').toUpperCase()],
    ['base64', () => hmac(BODY).digest('base64')],
    ['a prefix', () => `sha256=${hmac(BODY).digest('hex')}`],
  ])('can be written in %s, in any header', (_, toSignature) => {
    expect(verify('hmac-sha256', { 'x-sig': toSignature() }, { header: 'x-sig' })).toBe(true)
  })
})

it('verifies nothing if the app wants no verification', () => {
  expect(verify('none', {})).toBe(true)
})
