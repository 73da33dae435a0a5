/** A JSON object whose fields are to be checked before use. */
export type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

export const listOf = <T>(value: unknown): readonly T[] => (Array.isArray(value) ? value : [])
