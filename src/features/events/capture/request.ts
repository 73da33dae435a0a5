import { isObject, type JsonObject } from '#model/json.ts'
import { invalid } from '#server/errors.ts'
import type { Clock, EventPath } from './event.ts'
import { parseEventTime } from './event-time.ts'

/** A parsed body. */
export interface CaptureRequest {
  readonly events: readonly unknown[]
  /** The field that holds the events, for error messages: '' for a bare list, undefined for a single event. */
  readonly field: string | undefined
  /** The token beside the events, or of the single event. */
  readonly token: unknown
  readonly sentAt: unknown
}

export function parseRequest(body: unknown): CaptureRequest {
  if (Array.isArray(body)) {
    return { events: body, field: '', token: undefined, sentAt: undefined }
  }
  if (!isObject(body)) throw invalid(null, 'Expected an event or a list of events.')
  const { batch, sent_at: sentAt } = body
  const token = findToken(body)
  if (batch === undefined) return { events: [body], field: undefined, token, sentAt }
  if (!Array.isArray(batch)) throw invalid('batch', 'Expected a list of items.', 'not_a_list')
  return { events: batch, field: 'batch', token, sentAt }
}

/** Looks in every field that a client uses for the token. */
export function findToken(body: unknown): unknown {
  if (!isObject(body)) return undefined
  const properties: JsonObject = isObject(body.properties) ? body.properties : {}
  return body.api_key ?? body.token ?? body.$token ?? properties.token
}

/** Returns a request's token, and its events. Without a token of its own, all events must have the same. */
export function resolveToken(
  own: unknown,
  parse: () => Iterable<unknown>,
  find: typeof findToken,
): { readonly token: unknown; readonly events: () => Iterable<unknown> } {
  if (own !== undefined && own !== null) return { token: own, events: parse }
  const token = findFirstToken(parse(), find)
  return { token, events: () => requireSameTokens(parse(), token, find) }
}

function findFirstToken(events: Iterable<unknown>, find: typeof findToken): unknown {
  for (const event of events) {
    const token = find(event)
    if (token !== undefined) return token
  }
  return undefined
}

function* requireSameTokens(
  events: Iterable<unknown>,
  token: unknown,
  find: typeof findToken,
): Generator<unknown> {
  for (const event of events) {
    const next = find(event)
    if (next !== undefined && next !== token) {
      throw invalid('token', 'The events belong to different projects.')
    }
    yield event
  }
}

/** Returns the path of an event in the body, for error messages. */
export const toPath =
  (field: string | undefined, index: number): EventPath =>
  () => {
    if (field === undefined) return ''
    return field === '' ? `${index}` : `${field}__${index}`
  }

/** `clientTime`: the time of sending that browsers put into the URL. */
export function toClock(sentAt: unknown, clientTime: unknown): Clock {
  const now = Date.now()
  const sent = parseEventTime(sentAt ?? clientTime)
  return { now, skew: sent === undefined ? 0 : now - sent }
}
