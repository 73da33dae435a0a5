import { sanitizeJson, sanitizeText } from '../db/sanitize.ts'
import { invalid } from '../errors.ts'
import type { NewEvent } from './event-store.ts'
import { isLarge, toSearchable } from './large-properties.ts'

/** An event as both databases can hold it. */
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
  /** All properties, when the searchable part is not all of them. */
  readonly fullProperties: string | null
}

/** Longer names and ids are cut, as upstream does: an index of PostgreSQL has a maximum length. */
export const MAX_TEXT = 200

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

export const isStorableTime = (time: number): boolean => time >= EARLIEST && time <= LATEST

/**
 * Events of many callers go into one statement, so each is looked at before: one that the database would refuse would
 * take the others with it.
 */
export function toEventRow(projectId: number, event: NewEvent): EventRow {
  const uuid = event.uuid.toLowerCase()
  if (!UUID.test(uuid)) throw invalid('uuid', 'Must be a valid UUID.')
  const timestamp = Date.parse(event.timestamp)
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

/** A name or an id, and also what stored ones are compared with. */
export const toStoredText = (text: string): string =>
  sanitizeText(text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text)
