import { isObject, type JsonObject } from '#model/json.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import { ApiError, invalid } from '#server/errors.ts'
import { parseTime } from '#server/http/times.ts'
import { type Clock, toNewEvent } from './event.ts'
import type { TokenLookup } from './project-tokens.ts'

interface CaptureRequest {
  readonly events: readonly unknown[]
  /** What stands before an event's number where one is named. */
  readonly place: string | undefined
  readonly token: unknown
  readonly sentAt: unknown
}

/** All of a request's events, or none. `clientTime`: when the browser says it sent them, if it does so in the URL. */
export async function captureEvents(
  store: EventStore,
  findProject: TokenLookup,
  body: unknown,
  clientTime: unknown,
): Promise<void> {
  const { events, place, token, sentAt } = toSent(body)
  const projectId = await requireProject(findProject, token)
  if (events.length === 0) throw invalid(place || null, 'This list may not be empty.')
  const clock = toClock(sentAt ?? clientTime)
  const placeOf = (index: number) => () =>
    place === undefined ? '' : [place, index].filter((part) => part !== '').join('__')
  await store.append(
    projectId,
    events.map((event, index) => toNewEvent(event, placeOf(index), clock)),
  )
}

export async function requireProject(findProject: TokenLookup, token: unknown): Promise<number> {
  if (token === undefined || token === null || token === '') {
    throw new ApiError('not_authenticated', "The body names no project's token (`api_key`).")
  }
  const projectId = typeof token === 'string' ? await findProject(token) : undefined
  if (projectId === undefined) {
    throw new ApiError('authentication_failed', 'No project has this token.')
  }
  return projectId
}

function toSent(body: unknown): CaptureRequest {
  if (Array.isArray(body)) {
    return { events: body, place: '', token: commonToken(body), sentAt: undefined }
  }
  if (!isObject(body)) throw invalid(null, 'Expected an event or a list of events.')
  const { batch, sent_at: sentAt } = body
  if (batch === undefined) return { events: [body], place: undefined, token: tokenOf(body), sentAt }
  if (!Array.isArray(batch)) throw invalid('batch', 'Expected a list of items.', 'not_a_list')
  return { events: batch, place: 'batch', token: tokenOf(body) ?? commonToken(batch), sentAt }
}

/** Every client has its own place for it. */
export function tokenOf(body: unknown): unknown {
  if (!isObject(body)) return undefined
  const properties: JsonObject = isObject(body.properties) ? body.properties : {}
  return body.api_key ?? body.token ?? body.$token ?? properties.token
}

function commonToken(events: readonly unknown[]): unknown {
  const tokens = new Set(events.map(tokenOf).filter((token) => token !== undefined))
  if (tokens.size > 1) throw invalid('token', 'The events are of different projects.')
  return [...tokens][0]
}

function toClock(sentAt: unknown): Clock {
  const now = Date.now()
  const sent = toTime(sentAt)
  return { now, skew: sent === undefined ? 0 : now - sent }
}

/** ISO 8601 in a body, milliseconds in a URL. */
function toTime(sentAt: unknown): number | undefined {
  if (typeof sentAt !== 'string') return undefined
  return /^\d{13}$/.test(sentAt) ? Number(sentAt) : parseTime(sentAt)
}
