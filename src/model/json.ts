export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads the fields of a JSON object, which are to be checked before use. */
export const fieldsOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : {}

export const listOf = <T>(value: unknown): readonly T[] => (Array.isArray(value) ? value : [])
