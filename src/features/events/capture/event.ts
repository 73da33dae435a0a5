import { randomUUIDv7 } from 'node:crypto'
import { isObject, type JsonObject } from '#model/json.ts'
import { isStorableTime } from '#server/analytics/event-row.ts'
import type { NewEvent } from '#server/analytics/event-store.ts'
import { toPropertiesText } from '#server/analytics/properties-text.ts'
import { ApiError, invalid } from '#server/errors.ts'
import { isCanonicalTime, parseTime } from '#server/http/times.ts'
import { parseError } from './body.ts'

/** How the sender's clock differs from ours. */
export interface Clock {
  readonly now: number
  /** Milliseconds to add to what the sender says. */
  readonly skew: number
}

const MAX_DEPTH = 64
/** So that a page of events fits into memory. */
const MAX_PROPERTIES = 1024 * 1024
/** A sender may be ahead of us by a time zone it mistook, not by more. */
const MAX_AHEAD_MS = 23 * 3_600_000
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Where in the body an event stands, for whoever has to find what is wrong with it. */
export type EventPath = () => string

/** A hundred of them are a request, and this is half of what it costs: hence the plain loops and early ways out. */
export function toNewEvent(raw: unknown, at: EventPath, clock: Clock): NewEvent {
  if (!isObject(raw)) throw invalid(at() || null, 'Expected a dictionary of items.', 'not_a_dict')
  const { event, uuid } = raw
  const properties = toProperties(raw, at)
  if (typeof event !== 'string' || event === '') throw missing(at, 'event')
  return {
    uuid: typeof uuid === 'string' && UUID.test(uuid) ? uuid : randomUUIDv7(),
    event,
    distinct_id: toDistinctId(raw, properties, at),
    timestamp: toTimestamp(raw, clock),
    properties: toText(properties, at),
  }
}

const attrOf = (at: EventPath, name: string): string => (at() ? `${at()}__${name}` : name)

const missing = (at: EventPath, name: string): ApiError =>
  invalid(attrOf(at, name), 'This field is required.', 'required')

/** Some clients put what belongs among the properties beside them. */
function toProperties(raw: JsonObject, at: EventPath): JsonObject {
  const properties = raw.properties ?? {}
  const { $set, $set_once, $groups } = raw
  if (!isObject(properties)) {
    throw invalid(attrOf(at, 'properties'), 'Expected a dictionary of items.', 'not_a_dict')
  }
  if ($set === undefined && $set_once === undefined && $groups === undefined) return properties
  const beside = Object.entries({ $set, $set_once, $groups }).filter(
    ([, value]) => value !== undefined,
  )
  return { ...properties, ...Object.fromEntries(beside) }
}

function toDistinctId(raw: JsonObject, properties: JsonObject, at: EventPath): string {
  const id =
    raw.distinct_id ?? properties.distinct_id ?? raw.$distinct_id ?? properties.$distinct_id
  if (typeof id === 'string' && id !== '') return id
  if (typeof id === 'number') return String(id)
  if (id === undefined || id === null || id === '') throw missing(at, 'distinct_id')
  throw invalid(attrOf(at, 'distinct_id'), 'Not a valid string.')
}

/** What the sender's clock says, put right by how far it is off; or, in words of `offset`, how long ago it was. */
function toTimestamp({ timestamp, offset }: JsonObject, { now, skew }: Clock): string {
  const said = typeof timestamp === 'string' ? parseTime(timestamp) : undefined
  const ago = typeof offset === 'number' ? offset : 0
  const time = said === undefined ? now - ago : said + skew
  const isPlausible = isStorableTime(time) && time <= now + MAX_AHEAD_MS
  if (isPlausible && time === said && isCanonicalTime(timestamp as string))
    return timestamp as string
  return new Date(isPlausible ? time : now).toISOString()
}

function toText(properties: JsonObject, at: EventPath): string {
  requireShallow(properties, 1)
  const text = toPropertiesText(properties)
  if (text.length <= MAX_PROPERTIES) return text
  throw new ApiError(
    'request_too_large',
    'An event is larger than 1 MiB.',
    attrOf(at, 'properties'),
  )
}

/** Deep nesting exhausts the stack of whoever reads it. */
function requireShallow(value: JsonObject, depth: number): void {
  if (depth > MAX_DEPTH) throw parseError(`nested deeper than ${MAX_DEPTH} levels`)
  for (const key in value) {
    const item = value[key]
    if (typeof item === 'object' && item !== null) requireShallow(item as JsonObject, depth + 1)
  }
}
