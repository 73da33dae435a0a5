import { GROUP_EVENT_KEYS, GROUPS_KEY } from './groups/group-keys.ts'
import { IDENTITY_KEYS, PROPERTY_CHANGES, TOO_LARGE } from './identity/identity-keys.ts'
import { toPropertiesText } from './properties-text.ts'

/** The limits for all properties of an event and for each of them, in characters. */
const MAX_SEARCHABLE = 8 * 1024
const MAX_VALUE = 1024
/** Allows more for changes of a person than for other objects, since they cannot be looked up later. */
const MAX_CHANGE = 4 * 1024

export const isLarge = (properties: string): boolean => properties.length > MAX_SEARCHABLE

/**
 * Reduces large properties to the part that queries read: truncates long texts, drops long lists and objects, and limits
 * the total. The full properties are stored separately. DuckDB parses the JSON of 2,048 events at a time: a few hundred
 * of 100 kB exceeded its memory limit, so anyone with a project's token could have stopped the store.
 */
export function toSearchable(properties: string): string {
  let left = MAX_SEARCHABLE
  const kept = identityFirst(Object.entries(JSON.parse(properties))).flatMap(([key, value]) => {
    const short = typeof value === 'string' ? truncate(value) : value
    const size = key.length + JSON.stringify(short).length
    // doubled, because JSON may escape every character of a truncated text
    const most = IDENTITY.has(key) ? MAX_CHANGE : 2 * MAX_VALUE
    if (size > Math.min(left, most)) return PROPERTY_CHANGES.includes(key) ? [[key, TOO_LARGE]] : []
    left -= size
    return [[key, short]]
  })
  return toPropertiesText(Object.fromEntries(kept))
}

const IDENTITY = new Set<string>([...IDENTITY_KEYS, GROUPS_KEY, ...GROUP_EVENT_KEYS])

/** Puts the keys that identify persons and groups first, so that others cannot use up the space. */
const identityFirst = (entries: readonly [string, unknown][]): readonly [string, unknown][] => [
  ...entries.filter(([key]) => IDENTITY.has(key)),
  ...entries.filter(([key]) => !IDENTITY.has(key)),
]

/** Replaces half a surrogate pair at the end. */
const truncate = (text: string): string =>
  text.length > MAX_VALUE ? text.slice(0, MAX_VALUE).toWellFormed() : text
