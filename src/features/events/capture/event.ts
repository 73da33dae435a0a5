import { randomUUIDv7 } from 'node:crypto'
import { isObject, type JsonObject } from '#model/json.ts'
import { isCanonicalTime, toCanonicalTime } from '#server/analytics/canonical-time.ts'
import { isStorableTime } from '#server/analytics/event-row.ts'
import type { NewEvent } from '#server/analytics/event-store.ts'
import { toPropertiesText } from '#server/analytics/properties-text.ts'
import { ApiError, invalid, parseError, required } from '#server/errors.ts'
import { parseEventTime } from './event-time.ts'

export interface Clock {
  readonly now: number
  /** Milliseconds to add to the client's times. */
  readonly skew: number
}

/** The facts about a request that apply to all its events. */
export interface EventContext extends Clock {
  /** The name of events without one. */
  readonly defaultEvent?: string | undefined
  /** The name and version of the client: `posthog-node/5.0.0`. */
  readonly library?: string | undefined
  /** The client's address, for events that name none; null removes it from those that do. */
  readonly ip?: string | null | undefined
  /** Returns the properties to add for the place of an address, or of the sender without one. */
  readonly findPlace?: ((address: unknown) => string) | undefined
}

const MAX_DEPTH = 64
/** Keeps a page of events small enough for memory. */
const MAX_PROPERTIES_LENGTH = 1024 * 1024
/** Tolerates a wrong time zone, but no more. */
const MAX_AHEAD_MS = 23 * 3_600_000
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Returns the path of the event in the body, for error messages. */
export type EventPath = () => string

/** Uses plain loops and early returns, because it takes half the time of a request with a hundred events. */
export function toNewEvent(raw: unknown, path: EventPath, context: EventContext): NewEvent {
  if (!isObject(raw)) throw invalid(path() || null, 'Expected a dictionary of items.', 'not_a_dict')
  const { event = context.defaultEvent, uuid } = raw
  const properties = toProperties(raw, path)
  if (typeof event !== 'string' || event === '') throw missing(path, 'event')
  return {
    uuid: typeof uuid === 'string' && isUuid(uuid) ? uuid : randomUUIDv7(),
    event,
    distinct_id: toDistinctId(raw, properties, path),
    timestamp: toTimestamp(raw, properties, path, context),
    properties: toText(properties, path, context),
  }
}

export const isUuid = (text: string): boolean => UUID.test(text)

export const toAttr = (path: EventPath, name: string): string =>
  path() ? `${path()}__${name}` : name

const missing = (path: EventPath, name: string): ApiError => required(toAttr(path, name))

/** Merges fields that some clients send beside the properties. They override equal keys in the properties. */
function toProperties(raw: JsonObject, path: EventPath): JsonObject {
  const properties = raw.properties ?? {}
  const { $set, $set_once, $groups } = raw
  if (!isObject(properties)) {
    throw invalid(toAttr(path, 'properties'), 'Expected a dictionary of items.', 'not_a_dict')
  }
  if ($set === undefined && $set_once === undefined && $groups === undefined) return properties
  const siblings = Object.entries({ $set, $set_once, $groups }).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, withOthers(value, properties[key])]],
  )
  return { ...properties, ...Object.fromEntries(siblings) }
}

const withOthers = (value: unknown, others: unknown): unknown =>
  isObject(value) && isObject(others) ? { ...others, ...value } : value

function toDistinctId(raw: JsonObject, properties: JsonObject, path: EventPath): string {
  const id =
    raw.distinct_id ?? properties.distinct_id ?? raw.$distinct_id ?? properties.$distinct_id
  if (typeof id === 'string' && id !== '') return id
  if (typeof id === 'number') return String(id)
  if (id === undefined || id === null || id === '') throw missing(path, 'distinct_id')
  throw invalid(toAttr(path, 'distinct_id'), 'Not a valid string.')
}

/** Corrects the client's time by its clock skew, or subtracts its `offset` from now. */
function toTimestamp(
  { timestamp, offset }: JsonObject,
  { $ignore_sent_at }: JsonObject,
  path: EventPath,
  { now, skew }: Clock,
): string {
  if (timestamp === undefined || timestamp === null || timestamp === '') {
    const time = now - (typeof offset === 'number' ? offset : 0)
    return toCanonicalTime(toPlausible(time, now))
  }
  const sent = parseEventTime(timestamp)
  if (sent === undefined) throw invalid(toAttr(path, 'timestamp'), 'Not a valid time.')
  const time = toPlausible($ignore_sent_at === true ? sent : sent + skew, now)
  const isUnchanged = time === sent && typeof timestamp === 'string'
  return isUnchanged && isCanonicalTime(timestamp) ? timestamp : toCanonicalTime(time)
}

const toPlausible = (time: number, now: number): number =>
  isStorableTime(time) && time <= now + MAX_AHEAD_MS ? Math.trunc(time) : now

function toText(properties: JsonObject, path: EventPath, context: EventContext): string {
  requireShallow(properties, 1)
  const text = withSender(properties, context)
  if (text.length <= MAX_PROPERTIES_LENGTH) return text
  throw new ApiError(
    'request_too_large',
    'An event is larger than 1 MiB.',
    toAttr(path, 'properties'),
  )
}

/** Adds to the text, because copying the properties of every event would take longer. */
function withSender(properties: JsonObject, { ip, findPlace }: EventContext): string {
  const found = findPlace?.(properties.$ip) ?? ''
  const place = found && isUnplaced(properties) ? found : ''
  const hasIp = Object.hasOwn(properties, '$ip')
  const address = typeof ip === 'string' && !hasIp ? `"$ip":${JSON.stringify(ip)}` : ''
  const text = toPropertiesText(ip === null && hasIp ? withoutIp(properties) : properties)
  const added = address && place ? `${address},${place}` : address || place
  if (!added) return text
  return text === '{}' ? `{${added}}` : `${text.slice(0, -1)},${added}}`
}

const withoutIp = ({ $ip: _, ...others }: JsonObject): JsonObject => others

/** Programs send `$geoip_disable`, because their address is not the one of the person. */
function isUnplaced(properties: JsonObject): boolean {
  for (const key in properties) {
    if (!key.startsWith('$geoip_')) continue
    if (key !== '$geoip_disable' || properties[key]) return false
  }
  return true
}

/** Deep nesting would exhaust the stack of every reader. */
function requireShallow(value: JsonObject, depth: number): void {
  if (depth > MAX_DEPTH) throw parseError(`nested deeper than ${MAX_DEPTH} levels`)
  for (const key in value) {
    const item = value[key]
    if (typeof item === 'object' && item !== null) requireShallow(item as JsonObject, depth + 1)
  }
}
