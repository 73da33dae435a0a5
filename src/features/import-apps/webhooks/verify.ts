import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { VerifyKind } from '../plugins/package/receives.ts'

/** A request as its sender signed it. */
export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>
  /** The bytes that were signed. */
  readonly body: Buffer
}

export interface Verification {
  readonly kind: VerifyKind
  readonly secret: string
  /** Empty: the default of the kind. */
  readonly header: string
}

/** Older signatures may be replayed by someone who has read one. */
const TOLERANCE_S = 5 * 60

/** Tells whether the request was sent by someone who knows the secret. Without a secret, nobody does. */
export function isVerified(
  { kind, secret, header }: Verification,
  request: SignedRequest,
  time: number,
): boolean {
  if (kind === 'none') return true
  return secret !== '' && CHECKS[kind](request, { secret, header, time })
}

interface CheckOptions {
  readonly secret: string
  readonly header: string
  readonly time: number
}

type Check = (request: SignedRequest, options: CheckOptions) => boolean

const CHECKS: Readonly<Record<Exclude<VerifyKind, 'none'>, Check>> = {
  stripe({ headers, body }, { secret, time }) {
    const parts = (headers['stripe-signature'] ?? '')
      .split(',')
      .map((part) => part.trim().split('='))
    const sentAt = parts.find(([name]) => name === 't')?.[1] ?? ''
    const expected = sign(secret, `${sentAt}.`, body).toString('hex')
    return (
      isRecent(sentAt, time) &&
      parts.some(([name, value]) => name === 'v1' && isSame(value, expected))
    )
  },
  github({ headers, body }, { secret }) {
    return isSame(headers['x-hub-signature-256'], `sha256=${sign(secret, body).toString('hex')}`)
  },
  slack({ headers, body }, { secret, time }) {
    const sentAt = headers['x-slack-request-timestamp'] ?? ''
    const expected = `v0=${sign(secret, `v0:${sentAt}:`, body).toString('hex')}`
    return isRecent(sentAt, time) && isSame(headers['x-slack-signature'], expected)
  },
  shopify({ headers, body }, { secret }) {
    return isSame(headers['x-shopify-hmac-sha256'], sign(secret, body).toString('base64'))
  },
  'standard-webhooks'({ headers, body }, { secret, time }) {
    const { 'webhook-id': id = '', 'webhook-timestamp': sentAt = '' } = headers
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const expected = `v1,${sign(key, `${id}.${sentAt}.`, body).toString('base64')}`
    const given = (headers['webhook-signature'] ?? '').split(' ')
    return isRecent(sentAt, time) && given.some((one) => isSame(one, expected))
  },
  'hmac-sha256'({ headers, body }, { secret, header }) {
    const given = headers[header || 'x-signature']?.replace(/^sha256=/, '')
    const expected = sign(secret, body)
    return (
      isSame(given?.toLowerCase(), expected.toString('hex')) ||
      isSame(given, expected.toString('base64'))
    )
  },
  basic({ headers }, { secret }) {
    return isSame(headers.authorization, `Basic ${Buffer.from(secret).toString('base64')}`)
  },
  token({ headers }, { secret, header }) {
    return isSame(headers[header || 'authorization']?.replace(/^Bearer /i, ''), secret)
  },
}

function sign(key: string | Buffer, ...parts: readonly (string | Buffer)[]): Buffer {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(part)
  return hmac.digest()
}

function isRecent(sentAt: string, time: number): boolean {
  return /^\d{1,12}$/.test(sentAt) && Math.abs(time / 1000 - Number(sentAt)) <= TOLERANCE_S
}

/** Takes the same time wherever the texts differ, and whatever their lengths. */
const isSame = (given: string | undefined, expected: string): boolean =>
  given !== undefined && timingSafeEqual(digest(given), digest(expected))

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')
