import { sanitizeText } from '#server/db/sanitize.ts'

/** The event that creates or updates a group. */
export const GROUP_EVENT = '$groupidentify'

/** The property that names the groups of an event: an object of types and keys. */
export const GROUPS_KEY = '$groups'

/** Properties of the event that updates a group, in the order of `PropertyTexts`. */
export const GROUP_EVENT_KEYS = ['$group_type', '$group_key', '$group_set'] as const

/** In characters; a longer key of a group is cut. */
export const MAX_GROUP_KEY = 200

/** Converts a key to its stored form. Cuts between characters, as both databases do. */
export function toGroupKey(text: string): string {
  const stored = sanitizeText(text)
  return stored.length > MAX_GROUP_KEY ? [...stored].slice(0, MAX_GROUP_KEY).join('') : stored
}

/** Tells whether an event may name or change a group, by its text: parsing each would take ten times as long. */
export const mayHaveGroups = (event: string, properties: string): boolean =>
  event === GROUP_EVENT || properties.includes(`"${GROUPS_KEY}"`)
