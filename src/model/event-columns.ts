import type { JsonObject } from './json.ts'

/** Columns of a list of events as PostHog names them: `properties.plan` of the event, `person.properties.plan` of its person. */

const PREFIXES = { event: 'properties.', person: 'person.properties.' } as const

export interface EventColumn {
  readonly type: keyof typeof PREFIXES
  readonly key: string
}

export const MAX_COLUMNS = 20

/** The events of one file. */
export const MAX_EXPORTED = 10_000

export const toColumnText = ({ type, key }: EventColumn): string => `${PREFIXES[type]}${key}`

/** Returns undefined for another text. */
export function parseColumn(text: string): EventColumn | undefined {
  const types = Object.keys(PREFIXES) as EventColumn['type'][]
  const type = types.find((one) => text.startsWith(PREFIXES[one]))
  const key = type && text.slice(PREFIXES[type].length)
  return key ? { type, key } : undefined
}

/** Returns the value of a column, undefined if the event or its person does not have it. */
export function readColumn(
  { type, key }: EventColumn,
  event: JsonObject,
  person: JsonObject | undefined,
): unknown {
  const properties = type === 'event' ? event : person
  return properties && Object.hasOwn(properties, key) ? properties[key] : undefined
}
