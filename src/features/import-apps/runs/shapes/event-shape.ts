import type { CapturedEvent } from '#server/runtime/contract.ts'

/** A type of JSON; with `?` if some events lack the property. */
type PropertyType = string

/** The properties of events and their types, by the names of the events. */
export type EventShape = Readonly<Record<string, Readonly<Record<string, PropertyType>>>>

/** Enough to notice a change; reading all events would slow large imports down. */
const MAX_SAMPLED = 200
const MAX_SAMPLED_LENGTH = 16_384
const MAX_EVENTS = 50
const MAX_PROPERTIES = 200
const MIXED = 'mixed'

/** Collects the shape of the first events of a run. */
export function createShapeSample() {
  const counts = new Map<string, number>()
  const seen = new Map<string, Map<string, { type: PropertyType; count: number }>>()
  let sampled = 0

  function addEvent({ event, properties }: CapturedEvent): void {
    sampled++
    const known = seen.get(event) ?? new Map<string, { type: PropertyType; count: number }>()
    if (!seen.has(event) && seen.size === MAX_EVENTS) return
    seen.set(event, known)
    counts.set(event, (counts.get(event) ?? 0) + 1)
    for (const [name, value] of Object.entries(JSON.parse(properties))) {
      if (value === null || name.startsWith('$')) continue
      const property = known.get(name)
      if (!property && known.size === MAX_PROPERTIES) continue
      const type = toType(value)
      const isMixed = property !== undefined && property.type !== type
      known.set(name, { type: isMixed ? MIXED : type, count: (property?.count ?? 0) + 1 })
    }
  }

  return {
    add(events: readonly CapturedEvent[]): void {
      for (const event of events) {
        if (sampled >= MAX_SAMPLED) return
        if (event.properties.length <= MAX_SAMPLED_LENGTH) addEvent(event)
      }
    },
    read: (): EventShape =>
      Object.fromEntries(
        [...seen].map(([event, properties]) => [
          event,
          Object.fromEntries(
            [...properties].map(([name, { type, count }]) => [
              name,
              count === counts.get(event) ? type : `${type}?`,
            ]),
          ),
        ]),
      ),
  }
}

const toType = (value: unknown): PropertyType =>
  Array.isArray(value) ? 'list' : typeof value === 'string' ? 'text' : typeof value

const isOptional = (type: PropertyType): boolean => type.endsWith('?')
const bare = (type: PropertyType): PropertyType => type.replace('?', '')

/**
 * Describes how events have changed, or returns an empty text: new properties, properties of another type, and
 * properties that every event had and none has now. Events of a new name are no change.
 */
export function describeChange(before: EventShape, now: EventShape): string {
  return Object.entries(now)
    .flatMap(([event, properties]) => {
      const known = Object.hasOwn(before, event) ? before[event] : undefined
      const parts = known ? [...listDifferences(known, properties)] : []
      return parts.length === 0 ? [] : [`${event}: ${parts.join(', ')}.`]
    })
    .join(' ')
    .slice(0, 1000)
}

type Properties = EventShape[string]

function* listDifferences(before: Properties, now: Properties): Generator<string> {
  for (const [name, type] of Object.entries(now)) {
    const known = Object.hasOwn(before, name) ? before[name] : undefined
    if (known === undefined) yield `"${name}" is new`
    else if (hasOtherType(known, type)) yield `"${name}" is ${bare(type)} instead of ${bare(known)}`
  }
  for (const [name, type] of Object.entries(before)) {
    if (!isOptional(type) && !Object.hasOwn(now, name)) yield `"${name}" is missing`
  }
}

const hasOtherType = (before: PropertyType, now: PropertyType): boolean =>
  bare(before) !== bare(now) && bare(before) !== MIXED && bare(now) !== MIXED

/** Adds what a run has shown. A property that is missing now counts as optional only until it is gone. */
export function mergeShapes(before: EventShape, now: EventShape): EventShape {
  const merged: Record<string, Properties> = { ...before }
  for (const [event, properties] of Object.entries(now)) {
    const known = Object.hasOwn(before, event) ? before[event] : undefined
    merged[event] = known ? mergeProperties(known, properties) : properties
  }
  return Object.fromEntries(Object.entries(merged).slice(0, MAX_EVENTS))
}

function mergeProperties(before: Properties, now: Properties): Properties {
  const absent = Object.entries(before).filter(
    ([name, type]) => !Object.hasOwn(now, name) && isOptional(type),
  )
  const present = Object.entries(now).map(([name, type]) => {
    const wasAlways = Object.hasOwn(before, name) && !isOptional(before[name] as string)
    return [name, wasAlways && !isOptional(type) ? type : `${bare(type)}?`] as const
  })
  return Object.fromEntries([...present, ...absent].slice(0, MAX_PROPERTIES))
}
