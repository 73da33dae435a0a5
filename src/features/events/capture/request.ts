import { isObject, type JsonObject } from '#model/json.ts'
import { invalid } from '#server/errors.ts'
import type { Clock, EventPath } from './event.ts'
import { parseEventTime } from './event-time.ts'

/** A parsed body. */
export interface CaptureRequest {
  readonly events: readonly unknown[]
  /** The field that holds the events, for error messages: '' for a bare list, undefined for a single event. */
  readonly field: string | undefined
  readonly token: unknown
  readonly sentAt: unknown
}

export function parseRequest(body: unknown): CaptureRequest {
  if (Array.isArray(body)) {
    return { events: body, field: '', token: findCommonToken(body), sentAt: undefined }
  }
  if (!isObject(body)) throw invalid(null, 'Expected an event or a list of events.')
  const { batch, sent_at: sentAt } = body
  if (batch === undefined)
    return { events: [body], field: undefined, token: findToken(body), sentAt }
  if (!Array.isArray(batch)) throw invalid('batch', 'Expected a list of items.', 'not_a_list')
  return { events: batch, field: 'batch', token: findToken(body) ?? findCommonToken(batch), sentAt }
}

/** Looks in every field that a client uses for the token. */
export function findToken(body: unknown): unknown {
  if (!isObject(body)) return undefined
  const properties: JsonObject = isObject(body.properties) ? body.properties : {}
  return body.api_key ?? body.token ?? body.$token ?? properties.token
}

const findCommonToken = (events: readonly unknown[]): unknown =>
  events.reduce((token, event) => requireSameToken(token, findToken(event)), undefined)

/** Returns the token of the events so far. */
export function requireSameToken(token: unknown, next: unknown): unknown {
  if (token !== undefined && next !== undefined && token !== next) {
    throw invalid('token', 'The events belong to different projects.')
  }
  return token === undefined ? next : token
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
