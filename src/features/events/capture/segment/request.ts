import type { FastifyRequest } from 'fastify'
import { isObject } from '#model/json.ts'
import { invalid } from '#server/errors.ts'
import type { CaptureRequest } from '../request.ts'

/** Parses a batch of messages, or a single message. */
export function parseSegmentRequest(body: unknown): CaptureRequest {
  if (!isObject(body)) throw invalid(null, 'Expected a message or a batch of messages.')
  const { batch, writeKey: token, sentAt } = body
  if (batch === undefined) return { events: [body], field: undefined, token, sentAt }
  if (!Array.isArray(batch)) throw invalid('batch', 'Expected a list of items.', 'not_a_list')
  return { events: batch, field: 'batch', token, sentAt }
}

export const findWriteKey = (body: unknown): unknown =>
  isObject(body) ? (body.writeKey ?? undefined) : undefined

/** Reads the token in the headers, or in the URL, because a beacon has no headers. */
export function readToken({ headers, query }: FastifyRequest): string | undefined {
  const { writeKey } = query as { writeKey?: unknown }
  return (
    readBasicUser(headers.authorization) ?? (typeof writeKey === 'string' ? writeKey : undefined)
  )
}

/** Reads the user name of Basic authentication, where Segment's clients send the token. */
function readBasicUser(authorization: string | undefined): string | undefined {
  const encoded = /^Basic +(\S+) *$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return undefined
  return Buffer.from(encoded, 'base64').toString().split(':', 1)[0] || undefined
}
