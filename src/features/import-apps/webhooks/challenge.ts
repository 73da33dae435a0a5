import { timingSafeEqual } from 'node:crypto'
import { isObject } from '#model/json.ts'
import type { Verification } from './verify.ts'

/** A sender that asks whether this address wants its requests. */
interface Asked {
  readonly method: string
  readonly query: URLSearchParams
  readonly body: string
}

/** Finds what to respond to a sender that asks before it sends, or undefined. The request was verified. */
export function findSlackChallenge({ kind }: Verification, { body }: Asked): string | undefined {
  if (kind !== 'slack' || !body.includes('url_verification')) return undefined
  const { type, challenge } = parseObject(body)
  return type === 'url_verification' && typeof challenge === 'string' ? challenge : undefined
}

/**
 * Finds what to respond to Meta, which sends the secret, and to Microsoft, which sends nothing to verify but wants its
 * own text back.
 */
export function findUnsignedChallenge(
  { secret }: Verification,
  { method, query }: Asked,
): string | undefined {
  const challenge = query.get('hub.challenge')
  if (method === 'GET' && query.get('hub.mode') === 'subscribe' && challenge !== null) {
    const isKnown = secret !== '' && isEqual(query.get('hub.verify_token') ?? '', secret)
    return isKnown ? challenge : undefined
  }
  return method === 'POST' ? (query.get('validationToken') ?? undefined) : undefined
}

const isEqual = (given: string, expected: string): boolean => {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
