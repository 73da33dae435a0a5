/** PostgreSQL's type IDs, which never change. */
const BOOL = 16
const NUMBERS = [21, 23, 26, 700, 701] // int2, int4, oid, float4, float8
const JSON_TYPES = [114, 3802]
const TIMES = [1114, 1184] // without and with a time zone; the session's zone is UTC

export const isJsonType = (type: number): boolean => JSON_TYPES.includes(type)

/**
 * Converts PostgreSQL's text of a column to a JSON value. 64-bit integers and decimals stay text, and times keep their
 * microseconds, so that an app can compare with them later. JSON stays text, because parsing may take long.
 */
export function parseColumn(type: number): (text: string) => unknown {
  if (type === BOOL) return (text) => text === 't'
  if (NUMBERS.includes(type)) return Number
  if (TIMES.includes(type)) return toIsoTime
  return (text) => text
}

const toIsoTime = (text: string): string => {
  const [, day, time] = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?:\+00)?$/.exec(text) ?? []
  return day && time ? `${day}T${time}Z` : text
}
