import { sanitizeJson, sanitizeText } from '../db/sanitize.ts'

type Properties = Readonly<Record<string, unknown>>

/**
 * An event's properties as JSON. DuckDB keeps the text and PostgreSQL the values, so that an object within it would be
 * one label or two, depending on the order of its keys: they are sorted, as `property_text` of PostgreSQL does.
 */
export function toPropertiesText(properties: Properties): string {
  for (const key in properties) {
    if (holdsObject(properties[key])) return writeMembers(membersOf(properties))
  }
  return sanitizeJson(JSON.stringify(properties))
}

const holdsObject = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(holdsObject) : typeof value === 'object' && value !== null

function write(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(sanitizeText(value))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(write).join()}]`
  return writeMembers(membersOf(value).sort(([one], [other]) => compareBytes(one, other)))
}

/** Two keys may be the same once they can be stored: the last one stays, as in any JSON. */
const membersOf = (value: object): [string, unknown][] => [
  ...new Map(Object.entries(value).map(([key, item]) => [sanitizeText(key), item])),
]

/** By hand, because JavaScript puts keys that are numbers first in whatever object it makes. */
const writeMembers = (members: readonly [string, unknown][]): string =>
  `{${members.map(([key, value]) => `${JSON.stringify(key)}:${write(value)}`).join()}}`

/** From here on UTF-16 sorts otherwise than UTF-8, which PostgreSQL sorts by. */
const HIGH = /[\ud800-\uffff]/

function compareBytes(one: string, other: string): number {
  if (HIGH.test(one) || HIGH.test(other))
    return Buffer.compare(Buffer.from(one), Buffer.from(other))
  return one < other ? -1 : 1
}
