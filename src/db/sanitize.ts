/**
 * Replaces NUL and half surrogate pairs, which PostgreSQL cannot store. Bulk data (events, and everything apps log and
 * store) is sanitized, not refused: one bad character must not lose the rest.
 */
export const sanitizeText = (text: string): string =>
  text.includes('\0') || !text.isWellFormed()
    ? text.toWellFormed().replaceAll('\0', '\ufffd')
    : text

/** JSON escapes both characters. Most texts contain neither escape and need no parsing. */
const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/i

/** Sanitizes every text in a JSON document. */
export function sanitizeJson(json: string): string {
  if (!json.includes('\\u') || !UNSTORABLE_ESCAPE.test(json)) return json
  return JSON.stringify(sanitizeValue(JSON.parse(json)))
}

function sanitizeValue(value: unknown): unknown {
  if (typeof value === 'string') return sanitizeText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sanitizeValue)
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [sanitizeText(key), sanitizeValue(item)]),
  )
}
