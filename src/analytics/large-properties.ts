import { toPropertiesText } from './properties-text.ts'

/** In characters, of an event's properties and of one of them. */
const MAX_SEARCHABLE = 8 * 1024
const MAX_VALUE = 1024

export const isLarge = (properties: string): boolean => properties.length > MAX_SEARCHABLE

/**
 * What queries see of properties that are large: long texts cut, long lists and objects left out, and no more than fits.
 * The whole is kept beside it. DuckDB works on 2,048 events at a time, with the JSON of all of them taken apart: a few
 * hundred of 100 kB were more than the memory it may use, and whoever knew a project's token could stop the store.
 */
export function toSearchable(properties: string): string {
  let left = MAX_SEARCHABLE
  const kept = Object.entries(JSON.parse(properties) as object).flatMap(([key, value]) => {
    const short = typeof value === 'string' ? truncate(value) : value
    const size = key.length + JSON.stringify(short).length
    // twice as much, since a text that is cut may be all characters that JSON escapes
    if (size > left || size > 2 * MAX_VALUE) return []
    left -= size
    return [[key, short] as const]
  })
  return toPropertiesText(Object.fromEntries(kept))
}

/** Half a character at the end becomes the sign for one. */
const truncate = (text: string): string =>
  text.length > MAX_VALUE ? text.slice(0, MAX_VALUE).toWellFormed() : text
