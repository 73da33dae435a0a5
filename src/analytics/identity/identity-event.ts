import { isObject, type JsonObject } from '#model/json.ts'
import { toStoredText } from '../event-row.ts'
import { IDENTITY_KEYS, PERSONLESS_KEY, PROPERTY_CHANGES, TOO_LARGE } from './identity-keys.ts'

/** The values of `IDENTITY_KEYS`: texts as they are, everything else as JSON; null if absent. */
export type PropertyTexts = readonly (string | null)[]

/** Merges the person of another ID into the event's person. */
export interface Merge {
  readonly otherId: string
  /** Merges even if the other person is identified. */
  readonly force: boolean
}

/** The changes that an event makes to its person. */
export interface IdentityEvent {
  readonly projectId: number
  readonly distinctId: string
  /** Its place in the order of arrival. */
  readonly seq: number
  /** Changes no profile. */
  readonly isPersonless: boolean
  /** Whether it identifies the person. */
  readonly identifies: boolean
  readonly merge: Merge | undefined
  readonly set: JsonObject
  readonly setOnce: JsonObject
  readonly unset: readonly string[]
  /** Whether its changes exceeded the searchable part of an event. */
  readonly isTooLarge: boolean
}

/** Events that identify their person, and the property that names the ID to merge. */
const IDENTIFYING: Readonly<Record<string, { readonly key: number; readonly force: boolean }>> = {
  $identify: { key: 0, force: false },
  $create_alias: { key: 1, force: false },
  $merge_dangerously: { key: 1, force: true },
}

export const IDENTIFYING_EVENTS = Object.keys(IDENTIFYING)

export function toIdentityEvent(
  event: Pick<IdentityEvent, 'projectId' | 'distinctId' | 'seq'> & { readonly event: string },
  texts: PropertyTexts,
): IdentityEvent {
  const identifying = Object.hasOwn(IDENTIFYING, event.event) ? IDENTIFYING[event.event] : undefined
  const otherId = identifying && texts[identifying.key]
  return {
    projectId: event.projectId,
    distinctId: event.distinctId,
    seq: event.seq,
    isPersonless: texts[5] === 'false',
    identifies: identifying !== undefined,
    merge:
      identifying && typeof otherId === 'string'
        ? { otherId: toStoredText(otherId), force: identifying.force }
        : undefined,
    set: parseObject(texts[2]),
    setOnce: parseObject(texts[3]),
    unset: parseKeys(texts[4]),
    isTooLarge: IDENTITY_KEYS.some(
      (key, at) => texts[at] === TOO_LARGE && PROPERTY_CHANGES.includes(key),
    ),
  }
}

/** The change of a person by its users, as if an event had brought it. */
export const toUpdateEvent = (
  projectId: number,
  { distinctId, set, unset }: Pick<IdentityEvent, 'distinctId' | 'set' | 'unset'>,
): IdentityEvent => ({
  projectId,
  distinctId,
  seq: Number.POSITIVE_INFINITY,
  isPersonless: false,
  identifies: false,
  merge: undefined,
  set,
  setOnce: {},
  unset,
  isTooLarge: false,
})

/** Tells whether an event may change its person, by its text: parsing each would take ten times as long. */
export const mayChangePerson = (event: string, properties: string): boolean =>
  Object.hasOwn(IDENTIFYING, event) || /"\$(?:set|unset")/.test(properties)

export const isPersonless = (properties: string): boolean =>
  properties.includes(`"${PERSONLESS_KEY}"`) && readPropertyTexts(properties).at(-1) === 'false'

/** Reads the values of keys from an event's properties. */
export function readPropertyTexts(
  properties: string,
  keys: readonly string[] = IDENTITY_KEYS,
): PropertyTexts {
  const values: Readonly<Record<string, unknown>> = JSON.parse(properties)
  return keys.map((key) => toText(Object.hasOwn(values, key) ? values[key] : null))
}

function toText(value: unknown): string | null {
  if (value === null || typeof value === 'string') return value
  return JSON.stringify(value).replace(/^(-?[\d.]+e)[+]/, '$1') // as DuckDB writes large numbers
}

export const parseObject = (text: string | null | undefined): JsonObject => {
  const value = parse(text)
  return isObject(value) ? value : {}
}

/** Some clients send the keys to remove as a list, others as an object. */
function parseKeys(text: string | null | undefined): readonly string[] {
  const value = parse(text)
  if (isObject(value)) return Object.keys(value)
  return Array.isArray(value) ? value.filter((key) => typeof key === 'string') : []
}

/** Parses JSON. Returns undefined for plain text. */
function parse(text: string | null | undefined): unknown {
  if (!text) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
