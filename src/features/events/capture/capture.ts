import { isObject, type JsonObject } from '#model/json.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import { ApiError, invalid } from '#server/errors.ts'
import { parseTime } from '#server/http/times.ts'
import { type Clock, toNewEvent } from './event.ts'
import type { TokenLookup } from './project-tokens.ts'

interface CaptureRequest {
  readonly events: readonly unknown[]
  /** The field that holds the events, for error messages: '' for a bare list, undefined for a single event. */
  readonly field: string | undefined
  readonly token: unknown
  readonly sentAt: unknown
}

export interface CaptureDeps {
  readonly store: EventStore
  readonly findProject: TokenLookup
}

/** Stores all events of a request or none. `clientTime`: the time of sending that browsers put into the URL. */
export async function captureEvents(
  { store, findProject }: CaptureDeps,
  body: unknown,
  clientTime: unknown,
): Promise<void> {
  const { events, field, token, sentAt } = parseRequest(body)
  const projectId = await requireProject(findProject, token)
  if (events.length === 0) throw invalid(field || null, 'This list may not be empty.')
  const clock = toClock(sentAt ?? clientTime)
  const pathOf = (index: number) => () => {
    if (field === undefined) return ''
    return field === '' ? `${index}` : `${field}__${index}`
  }
  await store.append(
    projectId,
    events.map((event, index) => toNewEvent(event, pathOf(index), clock)),
  )
}

export async function requireProject(findProject: TokenLookup, token: unknown): Promise<number> {
  if (token === undefined || token === null || token === '') {
    throw new ApiError('not_authenticated', 'The body has no project token (`api_key`).')
  }
  const projectId = typeof token === 'string' ? await findProject(token) : undefined
  if (projectId === undefined) {
    throw new ApiError('authentication_failed', 'No project has this token.')
  }
  return projectId
}

function parseRequest(body: unknown): CaptureRequest {
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

function findCommonToken(events: readonly unknown[]): unknown {
  const tokens = new Set(events.map(findToken).filter((token) => token !== undefined))
  if (tokens.size > 1) throw invalid('token', 'The events belong to different projects.')
  return [...tokens][0]
}

function toClock(sentAt: unknown): Clock {
  const now = Date.now()
  const sent = toTime(sentAt)
  return { now, skew: sent === undefined ? 0 : now - sent }
}

/** Accepts ISO 8601, as in a body, and milliseconds, as in a URL. */
function toTime(sentAt: unknown): number | undefined {
  if (typeof sentAt !== 'string') return undefined
  return /^\d{13}$/.test(sentAt) ? Number(sentAt) : parseTime(sentAt)
}
