/** By the ids that PostgreSQL gives them, which never change. */
const BOOL = 16
const SMALL_NUMBERS = [21, 23, 26, 700, 701] // int2, int4, oid, float4, float8
const JSONS = [114, 3802]
const TIMES = [1114, 1184] // without and with a time zone; the session's zone is UTC

/**
 * As text comes from PostgreSQL, to what JSON can say. Whole numbers of 64 bits and decimals stay text, and times keep
 * their microseconds: an app may compare with them later.
 */
export function parseColumn(type: number): (text: string) => unknown {
  if (type === BOOL) return (text) => text === 't'
  if (SMALL_NUMBERS.includes(type)) return Number
  if (JSONS.includes(type)) return (text) => JSON.parse(text)
  if (TIMES.includes(type)) return toIsoTime
  return (text) => text
}

const toIsoTime = (text: string): string => {
  const [, day, time] = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?:\+00)?$/.exec(text) ?? []
  return day && time ? `${day}T${time}Z` : text
}
