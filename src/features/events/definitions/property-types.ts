import type { EventStore } from '#server/analytics/event-store.ts'
import { isCanonicalTime } from '#server/http/times.ts'
import { listEvents } from '../events/events.ts'
import type { PropertyDefinition, PropertyType } from './schema.ts'

/** Of each name so many events are read, of one name more. */
const EVENTS_OF_ONE = 1000
const EVENTS_OF_EACH = 50
const MOST_EVENT_NAMES = 20
/** An event may bring thousands of keys of its own. */
const MOST_PROPERTIES = 5000

interface Seen {
  count: number
  type: PropertyType | undefined
}

/** Reads a sample of events of these names, and guesses what their properties are from their values. */
export async function findPropertyTypes(
  store: EventStore,
  projectId: number,
  names: readonly string[],
  after: string | undefined,
): Promise<readonly PropertyDefinition[]> {
  const seen = new Map<string, Seen>()
  const limit = names.length === 1 ? EVENTS_OF_ONE : EVENTS_OF_EACH
  for (const event of names.slice(0, MOST_EVENT_NAMES)) {
    const asked = { event, limit, offset: 0 }
    const recent = (await listEvents(store, projectId, { ...asked, after })).results
    // a rare event may be older than the sample: to look for it takes longer, and is worth it
    const isRare = recent.length === 0 && after !== undefined
    const events = isRare ? (await listEvents(store, projectId, asked)).results : recent
    for (const { properties } of events) note(seen, JSON.parse(properties))
  }
  return [...seen]
    .toSorted(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1))
    .map(([name, { type }]) => ({ name, property_type: type ?? 'String' }))
}

function note(seen: Map<string, Seen>, properties: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(properties)) {
    const type = typeOf(value)
    const known = seen.get(name)
    if (!known) {
      if (seen.size < MOST_PROPERTIES) seen.set(name, { count: 1, type })
      continue
    }
    known.count++
    if (type !== undefined && type !== known.type) known.type = known.type ? 'String' : type
  }
}

/** undefined: nothing says so, neither for a type nor against it. */
function typeOf(value: unknown): PropertyType | undefined {
  if (value === null) return undefined
  if (typeof value === 'number') return 'Numeric'
  if (typeof value === 'boolean') return 'Boolean'
  return typeof value === 'string' && isTime(value) ? 'DateTime' : 'String'
}

const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/

const isTime = (text: string): boolean => isCanonicalTime(text) || TIME.test(text)
