/**
 * PostgreSQL holds neither NUL nor half a surrogate pair. What comes from outside in bulk (events, what apps say and
 * keep) is cleaned and not refused: one odd character is no reason to lose the rest.
 */
export const sanitizeText = (text: string): string =>
  text.includes('\0') || !text.isWellFormed()
    ? text.toWellFormed().replaceAll('\0', '\ufffd')
    : text

/** In JSON, both stand as escapes. Most texts have none, and need no second look. */
const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/i

/** The same for a JSON text. */
export function sanitizeJson(json: string): string {
  if (!json.includes('\\u') || !UNSTORABLE_ESCAPE.test(json)) return json
  return JSON.stringify(cleanValue(JSON.parse(json)))
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return sanitizeText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(cleanValue)
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [sanitizeText(key), cleanValue(item)]),
  )
}
