export const VALUE_TYPES = ['Text', 'Number', 'Yes or no', 'JSON'] as const
export type ValueType = (typeof VALUE_TYPES)[number]

/** A property as a form holds it. */
export interface TypedText {
  readonly type: ValueType
  readonly text: string
}

export function toTypedText(value: unknown): TypedText {
  if (typeof value === 'string') return { type: 'Text', text: value }
  if (typeof value === 'number') return { type: 'Number', text: String(value) }
  if (typeof value === 'boolean') return { type: 'Yes or no', text: String(value) }
  return { type: 'JSON', text: JSON.stringify(value, null, 2) ?? '' }
}

/** Parses the value, or the reason why the text does not match the type. */
export function parseValue({ type, text }: TypedText): { value: unknown } | { problem: string } {
  switch (type) {
    case 'Text':
      return { value: text }
    case 'Yes or no':
      return { value: text === 'true' }
    case 'Number': {
      const value = Number(text)
      const isNumber = text.trim() !== '' && Number.isFinite(value)
      return isNumber ? { value } : { problem: 'Enter a number.' }
    }
    case 'JSON':
      return parseJson(text)
  }
}

function parseJson(text: string): { value: unknown } | { problem: string } {
  try {
    const value: unknown = JSON.parse(text)
    return value === null ? { problem: 'null is not a value. Delete the property.' } : { value }
  } catch {
    return { problem: 'Enter valid JSON.' }
  }
}
