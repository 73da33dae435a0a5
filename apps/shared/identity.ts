/** As long as the event store takes them. */
const LONGEST_NAME = 200
const LONGEST_ID = 200

/** A person's id as text, or undefined when it can be none. */
export function toDistinctId(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value
  return isText(text) && text.length <= LONGEST_ID ? text : undefined
}

export const toEventName = (value: unknown): string | undefined =>
  isText(value) && value.length <= LONGEST_NAME ? value : undefined

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
