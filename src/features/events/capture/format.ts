import type { NewEvent } from '#server/analytics/event-store.ts'
import { type Clock, type EventPath, toNewEvent } from './event.ts'
import { type CaptureRequest, findToken, parseRequest } from './request.ts'
import { type MessageType, toSegmentEvent } from './segment/message.ts'
import { findWriteKey, parseSegmentRequest } from './segment/request.ts'

/** The form of an endpoint's bodies: PostHog's, Segment's, or Segment's with messages of one type. */
export type FormatName = 'posthog' | 'segment' | MessageType

export interface Format {
  parseRequest(body: unknown): CaptureRequest
  /** Looks for the token in a body, or in one of its events. */
  findToken(body: unknown): unknown
  toNewEvent(raw: unknown, path: EventPath, clock: Clock): NewEvent
}

const POSTHOG: Format = { parseRequest, findToken, toNewEvent }

export function toFormat(name: FormatName): Format {
  if (name === 'posthog') return POSTHOG
  const type = name === 'segment' ? undefined : name
  return {
    parseRequest: parseSegmentRequest,
    findToken: findWriteKey,
    toNewEvent: (raw, path, clock) => toSegmentEvent(raw, path, clock, type),
  }
}
