import { IDENTITY_KEYS, TOO_LARGE } from './identity/identity-keys.ts'
import { toPropertiesText } from './properties-text.ts'

/** In characters, of an event's properties and of one of them. */
const MAX_SEARCHABLE = 8 * 1024
const MAX_VALUE = 1024
const MAX_IDENTITY = 4 * 1024

export const isLarge = (properties: string): boolean => properties.length > MAX_SEARCHABLE

/**
 * Reduces large properties to the part that queries read: long texts are cut, long lists and objects left out, and no
 * more is kept than fits. All properties are stored beside it. DuckDB parses the JSON of 2,048 events at a time: a few
 * hundred of 100 kB took more memory than it may use, and anyone with a project's token could stop the store.
 */
export function toSearchable(properties: string): string {
  const all: Record<string, unknown> = JSON.parse(properties)
  const identity = keepIdentity(all)
  let left = MAX_SEARCHABLE - JSON.stringify(identity).length
  const kept = Object.entries(all).flatMap(([key, value]) => {
    if (Object.hasOwn(identity, key)) return [[key, identity[key]] as const]
    const short = typeof value === 'string' ? truncate(value) : value
    const size = key.length + JSON.stringify(short).length
    // twice as much, since a text that is cut may be all characters that JSON escapes
    if (size > left || size > 2 * MAX_VALUE) return []
    left -= size
    return [[key, short] as const]
  })
  return toPropertiesText(Object.fromEntries(kept))
}

/** Keeps what changes a person, or a mark for it if it is too large by itself. */
function keepIdentity(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = IDENTITY_KEYS.filter((key) => Object.hasOwn(properties, key)).map((key) => {
    const value = properties[key]
    const isTooLarge = JSON.stringify(value).length > MAX_IDENTITY
    return [key, isTooLarge ? TOO_LARGE : value]
  })
  return Object.fromEntries(kept)
}

/** Half a character at the end becomes the sign for one. */
const truncate = (text: string): string =>
  text.length > MAX_VALUE ? text.slice(0, MAX_VALUE).toWellFormed() : text
