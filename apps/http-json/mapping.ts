import type { NewEvent } from '../shared/delivery.ts'
import { toEventId } from '../shared/event-id.ts'
import { toDistinctId, toEventName } from '../shared/identity.ts'
import { isDeeper, isRecord, valueAt } from '../shared/paths.ts'
import { TIME_FORMS, toTimestamp } from '../shared/times.ts'
import type { Settings } from './settings.ts'

/** Less than the event store takes. */
const DEEPEST = 60

/** An event, or what is wrong with the item. */
export type Mapped = NewEvent | string

/**
 * Ids are told apart by address and mapping: the same item is another event when the settings give it another meaning.
 * An item without an id is known by its whole content.
 */
export function createMapper(settings: Settings): (item: unknown) => Mapped {
  const { url, event, distinctIdField, timestampField, idField } = settings
  const source = JSON.stringify([url, event, distinctIdField, timestampField])
  const used = new Set([event, distinctIdField, timestampField])

  return (item) => {
    if (!isRecord(item)) return 'is not an object.'
    if (isDeeper(item, DEEPEST)) return `is nested more than ${DEEPEST} levels deep.`
    const distinctId = toDistinctId(valueAt(item, distinctIdField))
    if (!distinctId) return `has no person id in "${distinctIdField}" (a text or number).`
    const timestamp = timestampField === '' ? undefined : toTimestamp(valueAt(item, timestampField))
    if (timestampField !== '' && timestamp === undefined) {
      return `has no time in "${timestampField}" (${TIME_FORMS}).`
    }
    return {
      uuid: toEventId(source + identityOf(item, idField)),
      event: toEventName(valueAt(item, event)) ?? event,
      distinct_id: distinctId,
      timestamp,
      properties:
        settings.properties.length === 0 ? allBut(item, used) : chosen(item, settings.properties),
    }
  }
}

export function idOf(item: unknown, idField: string): string | undefined {
  const id = idField === '' ? undefined : valueAt(item, idField)
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

function identityOf(item: Readonly<Record<string, unknown>>, idField: string): string {
  const id = idOf(item, idField)
  return id === undefined ? `content ${JSON.stringify(item)}` : `id ${id}`
}

const allBut = (item: Record<string, unknown>, used: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(item).filter(([key]) => !used.has(key)))

/** An object gives its fields, anything else is one property. */
function chosen(item: unknown, paths: readonly string[]): Record<string, unknown> {
  const properties: Record<string, unknown> = {}
  for (const path of paths) {
    const value = valueAt(item, path)
    if (isRecord(value)) Object.assign(properties, value)
    else if (value !== undefined) properties[path] = value
  }
  return properties
}
