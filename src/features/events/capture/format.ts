import type { NewEvent } from '#server/analytics/event-store.ts'
import { parseAppEvents, toAppEvent } from './app-event.ts'
import { type EventContext, type EventPath, toNewEvent } from './event.ts'
import { type CaptureRequest, findToken, parseRequest } from './request.ts'
import { type MessageType, toSegmentEvent } from './segment/message.ts'
import { findWriteKey, parseSegmentRequest } from './segment/request.ts'
import { parseV1Request, toV1Event } from './v1-event.ts'

/** The form of a body: PostHog's, Segment's, Segment's with messages of one type, or an import app's. */
export type FormatName = 'posthog' | 'engage' | 'v1' | 'segment' | 'app' | MessageType

export interface BodyFormat {
  parseRequest(body: unknown): CaptureRequest
  /** Looks for the token in a body, or in one of its events. */
  findToken(body: unknown): unknown
  toNewEvent(raw: unknown, path: EventPath, context: EventContext): NewEvent
  /** Whether the response has the outcome of each event; otherwise an invalid event refuses the whole request. */
  readonly reportsEach?: boolean
}

const POSTHOG: BodyFormat = { parseRequest, findToken, toNewEvent }

/** Sets properties of persons; the events need no name. */
const ENGAGE: BodyFormat = {
  ...POSTHOG,
  toNewEvent: (raw, path, context) =>
    toNewEvent(raw, path, { ...context, defaultEvent: '$identify' }),
}

const V1: BodyFormat = {
  parseRequest: parseV1Request,
  findToken: () => undefined, // a header has it
  toNewEvent: toV1Event,
  reportsEach: true,
}

const APP: BodyFormat = {
  parseRequest: parseAppEvents,
  findToken: () => undefined, // the app's config belongs to a project
  toNewEvent: toAppEvent,
}

export function toFormat(name: FormatName): BodyFormat {
  if (name === 'posthog') return POSTHOG
  if (name === 'engage') return ENGAGE
  if (name === 'v1') return V1
  if (name === 'app') return APP
  const type = name === 'segment' ? undefined : name
  return {
    parseRequest: parseSegmentRequest,
    findToken: findWriteKey,
    toNewEvent: (raw, path, context) => toSegmentEvent(raw, path, context, type),
  }
}
