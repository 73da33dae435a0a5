import { isCanonicalTime } from '#server/analytics/canonical-time.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import { listEvents } from '../events/events.ts'
import type { PropertyType, SeenProperty } from './schema.ts'
import { listNewestProfiles } from './store.ts'

/** Events to read if one name is given, and per name otherwise. */
const EVENTS_OF_ONE = 1000
const EVENTS_PER_NAME = 50
export const MAX_EVENT_NAMES = 20
const PERSONS = 1000
/** A single event may have thousands of distinct keys. */
const MAX_PROPERTIES = 5000

interface PropertyStats {
  count: number
  type: PropertyType | undefined
}

/** Infers the types of properties from the values in a sample of events with these names. */
export async function findPropertyTypes(
  store: EventStore,
  projectId: number,
  names: readonly string[],
  after: string | undefined,
): Promise<readonly SeenProperty[]> {
  const seen = new Map<string, PropertyStats>()
  const limit = names.length === 1 ? EVENTS_OF_ONE : EVENTS_PER_NAME
  for (const event of names.slice(0, MAX_EVENT_NAMES)) {
    const filter = { event, limit, offset: 0 }
    const recent = (await listEvents(store, projectId, { ...filter, after })).results
    // a rare event may be older than the sample, so it is worth a slower search of all events
    const isRare = recent.length === 0 && after !== undefined
    const events = isRare ? (await listEvents(store, projectId, filter)).results : recent
    for (const { properties } of events) countProperties(seen, JSON.parse(properties))
  }
  return toDefinitions(seen)
}

/** Infers the types of properties from the newest persons. */
export async function findPersonPropertyTypes(
  store: EventStore,
  projectId: number,
): Promise<readonly SeenProperty[]> {
  const seen = new Map<string, PropertyStats>()
  for (const profile of await listNewestProfiles(store, projectId, PERSONS)) {
    countProperties(seen, JSON.parse(profile))
  }
  return toDefinitions(seen)
}

/** Most frequent first. */
const toDefinitions = (seen: ReadonlyMap<string, PropertyStats>): SeenProperty[] =>
  [...seen]
    .toSorted(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1))
    .map(([name, { type }]) => ({ name, property_type: type ?? 'String' }))

function countProperties(
  seen: Map<string, PropertyStats>,
  properties: Readonly<Record<string, unknown>>,
): void {
  for (const [name, value] of Object.entries(properties)) {
    const type = inferType(value)
    const known = seen.get(name)
    if (!known) {
      if (seen.size < MAX_PROPERTIES) seen.set(name, { count: 1, type })
      continue
    }
    known.count++
    if (type !== undefined && type !== known.type) known.type = known.type ? 'String' : type
  }
}

/** Returns undefined for null, which fits every type. */
function inferType(value: unknown): PropertyType | undefined {
  if (value === null) return undefined
  if (typeof value === 'number') return 'Numeric'
  if (typeof value === 'boolean') return 'Boolean'
  return typeof value === 'string' && isTime(value) ? 'DateTime' : 'String'
}

const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/

const isTime = (text: string): boolean => isCanonicalTime(text) || TIME.test(text)
