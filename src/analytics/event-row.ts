import { sanitizeJson, sanitizeText } from '../db/sanitize.ts'
import { invalid } from '../errors.ts'
import { isCanonicalTime, parseCanonicalTime } from './canonical-time.ts'
import type { NewEvent } from './event-store.ts'
import { isLarge, toSearchable } from './full-properties.ts'

/** An event in the form that both databases can store. */
export interface EventRow {
  readonly projectId: number
  /** In lower case. */
  readonly uuid: string
  readonly event: string
  readonly distinct_id: string
  /** Milliseconds since 1970. */
  readonly timestamp: number
  /** The part that queries read. */
  readonly properties: string
  /** All properties, if `properties` has only a part of them. */
  readonly fullProperties: string | null
}

/** Longer names and IDs are truncated, as upstream does, because PostgreSQL limits the length of index entries. */
export const MAX_TEXT = 200

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

export const isStorableTime = (time: number): boolean => time >= EARLIEST && time <= LATEST

/**
 * Validates an event before it joins those of other callers in one statement, where a refused event would fail them all.
 */
export function toEventRow(projectId: number, event: NewEvent): EventRow {
  const uuid = event.uuid.toLowerCase()
  if (!UUID.test(uuid)) throw invalid('uuid', 'Must be a valid UUID.')
  const timestamp = toTime(event.timestamp)
  if (!isStorableTime(timestamp))
    throw invalid('timestamp', 'Must be a time of the years 1 to 9999.')
  const properties = sanitizeJson(event.properties)
  const fullProperties = isLarge(properties) ? properties : null
  return {
    projectId,
    uuid,
    event: toStoredText(event.event),
    distinct_id: toStoredText(event.distinct_id),
    timestamp,
    properties: fullProperties === null ? properties : toSearchable(properties),
    fullProperties,
  }
}

const toTime = (text: string): number =>
  isCanonicalTime(text) ? parseCanonicalTime(text) : Date.parse(text)

/** Converts a name or ID to its stored form, for storing and for comparing. */
export const toStoredText = (text: string): string =>
  sanitizeText(text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text)
