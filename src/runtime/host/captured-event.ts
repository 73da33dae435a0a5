import { randomUUIDv7 } from 'node:crypto'
import { isObject } from '#model/json.ts'
import { toPropertiesText } from '#server/analytics/properties-text.ts'
import { sanitizeText } from '#server/db/sanitize.ts'
import { AppProblem, type CapturedEvent } from '../contract.ts'
import { DEFAULT_LIMITS } from '../limits.ts'
import { BrokenFrame } from '../wire/frames.ts'
import type { EventFromApp } from '../wire/protocol.ts'

/** Deeper properties overflow the stack of later readers. */
const MAX_DEPTH = 64

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const TIME = /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Reads a small batch of events. Throws a `BrokenFrame`, or an `AppProblem` for the app. */
export function parseEvents(json: Buffer): CapturedEvent[] {
  const events = parse(json)
  if (!Array.isArray(events)) throw new BrokenFrame('an invalid batch of events')
  return events.map(toCapturedEvent)
}

/**
 * Validates an event of an app. Serializes the properties again instead of passing the app's text on, so that only valid
 * JSON is stored. Throws a `BrokenFrame`, or an `AppProblem` for the app.
 */
export function toCapturedEvent(event: unknown): CapturedEvent {
  if (!isEvent(event)) throw new BrokenFrame('an invalid event')
  if (isDeeperThan(event.properties, MAX_DEPTH)) {
    throw new AppProblem(`An event's properties are nested more than ${MAX_DEPTH} levels deep.`)
  }
  const properties = toPropertiesText(event.properties)
  if (properties.length > DEFAULT_LIMITS.maxEventLength) {
    throw new AppProblem(`An event is larger than ${DEFAULT_LIMITS.maxEventLength} bytes.`)
  }
  return {
    uuid: event.uuid ?? randomUUIDv7(),
    event: sanitizeText(event.event),
    distinct_id: sanitizeText(event.distinct_id),
    timestamp: event.timestamp,
    properties,
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'

const isEvent = (event: unknown): event is EventFromApp =>
  isObject(event) &&
  isText(event.event) &&
  isText(event.distinct_id) &&
  isText(event.timestamp) &&
  TIME.test(event.timestamp) &&
  (event.uuid === undefined || (isText(event.uuid) && UUID.test(event.uuid))) &&
  isObject(event.properties)

function isDeeperThan(value: object, levels: number): boolean {
  if (levels === 0) return true
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null && isDeeperThan(inner, levels - 1)) return true
  }
  return false
}

function parse(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString('utf8'))
  } catch {
    throw new BrokenFrame('invalid JSON')
  }
}
