import { sanitizeJson, sanitizeText } from '../db/sanitize.ts'

type Properties = Readonly<Record<string, unknown>>

/**
 * Serializes an event's properties with the keys of nested objects sorted, as PostgreSQL's `property_text` does. DuckDB
 * stores the text as it is, so equal objects would otherwise get different breakdown labels.
 */
export function toPropertiesText(properties: Properties): string {
  for (const key in properties) {
    if (holdsObject(properties[key])) return writeMembers(listMembers(properties))
  }
  return sanitizeJson(JSON.stringify(properties))
}

const holdsObject = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(holdsObject) : typeof value === 'object' && value !== null

function write(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(sanitizeText(value))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(write).join()}]`
  const members = listMembers(value)
  return writeMembers(members.length > 1 ? members.sort(compareKeys) : members)
}

const compareKeys = ([one]: [string, unknown], [other]: [string, unknown]): number =>
  compareBytes(one, other)

/** Sanitizing can make two keys equal; the last one wins, as in JSON. */
function listMembers(value: object): [string, unknown][] {
  const members = Object.entries(value)
  if (members.every(([key]) => key === sanitizeText(key))) return members
  return [...new Map(members.map(([key, item]) => [sanitizeText(key), item]))]
}

/** Writes the JSON itself, because JavaScript objects list numeric keys first. */
function writeMembers(members: readonly [string, unknown][]): string {
  let text = ''
  for (const [key, value] of members) {
    text += `${text && ','}${JSON.stringify(key)}:${write(value)}`
  }
  return `{${text}}`
}

/** The characters for which UTF-16 order differs from UTF-8 order, which PostgreSQL uses. */
const HIGH = /[\ud800-\uffff]/

export function compareBytes(one: string, other: string): number {
  if (HIGH.test(one) || HIGH.test(other))
    return Buffer.compare(Buffer.from(one), Buffer.from(other))
  return one < other ? -1 : 1
}
