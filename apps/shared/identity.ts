/** Limits of the event store. */
const MAX_NAME = 200
const MAX_ID = 200

/** Returns a person's ID as text, or undefined if the value cannot be one. */
export function toDistinctId(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value
  return isText(text) && text.length <= MAX_ID ? text : undefined
}

export const toEventName = (value: unknown): string | undefined =>
  isText(value) && value.length <= MAX_NAME ? value : undefined

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
