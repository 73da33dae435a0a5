/** No database takes NUL, nor half of a surrogate pair. */
export const toStorableText = (text: string): string =>
  text.replaceAll('\0', '\ufffd').toWellFormed()

/** How JSON writes them. */
const UNSTORABLE = /\\u(0000|d[89a-f])/

export function toStorableJson(value: unknown): string {
  const text = JSON.stringify(value)
  return UNSTORABLE.test(text) ? JSON.stringify(toStorable(value)) : text
}

function toStorable(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value)
  if (Array.isArray(value)) return value.map(toStorable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [toStorableText(name), toStorable(inner)]),
  )
}
