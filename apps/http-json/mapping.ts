import type { NewEvent } from '../shared/delivery.ts'
import { toEventId } from '../shared/event-id.ts'
import { toDistinctId, toEventName } from '../shared/identity.ts'
import { isDeeper, isRecord, valueAt } from '../shared/paths.ts'
import { describeBadDate, toTimestamp } from '../shared/times.ts'
import type { Settings } from './settings.ts'

/** Less than the limit of the event store. */
const MAX_DEPTH = 60

type MapperSettings = Pick<
  Settings,
  'url' | 'event' | 'distinctIdField' | 'timestampField' | 'idField' | 'properties'
>

/** An event, or the problem with the item. */
export type Mapped = NewEvent | string

/**
 * Derives event IDs from the URL, the mapping and the item's ID, or its content if it has none. A changed mapping gives
 * new events.
 */
export function createMapper(settings: MapperSettings): (item: unknown) => Mapped {
  const { url, event, distinctIdField, timestampField, idField } = settings
  const source = JSON.stringify([url, event, distinctIdField, timestampField])
  const used = new Set([event, distinctIdField, timestampField])

  return (item) => {
    if (!isRecord(item)) return 'not an object.'
    if (isDeeper(item, MAX_DEPTH)) return `nested more than ${MAX_DEPTH} levels deep.`
    const distinctId = toDistinctId(valueAt(item, distinctIdField))
    if (!distinctId) return `no person ID in "${distinctIdField}".`
    const time = timestampField === '' ? undefined : valueAt(item, timestampField)
    const timestamp = toTimestamp(time)
    if (timestampField !== '' && timestamp === undefined) {
      return describeBadDate(time, timestampField)
    }
    return {
      uuid: toEventId(source + toIdentity(item, idField)),
      event: toEventName(valueAt(item, event)) ?? event,
      distinct_id: distinctId,
      timestamp,
      properties:
        settings.properties.length === 0
          ? omitFields(item, used)
          : pickProperties(item, settings.properties),
    }
  }
}

export function toItemId(item: unknown, idField: string): string | undefined {
  const id = idField === '' ? undefined : valueAt(item, idField)
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

function toIdentity(item: Readonly<Record<string, unknown>>, idField: string): string {
  const id = toItemId(item, idField)
  return id === undefined ? `content ${JSON.stringify(item)}` : `id ${id}`
}

const omitFields = (item: Record<string, unknown>, used: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(item).filter(([key]) => !used.has(key)))

/** Adds the fields of objects, and any other value as one property. */
function pickProperties(item: unknown, paths: readonly string[]): Record<string, unknown> {
  const properties: Record<string, unknown> = {}
  for (const path of paths) {
    const value = valueAt(item, path)
    if (isRecord(value)) Object.assign(properties, value)
    else if (value !== undefined) properties[path] = value
  }
  return properties
}
