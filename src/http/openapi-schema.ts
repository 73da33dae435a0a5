import { isDeepStrictEqual } from 'node:util'
import { isObject } from '#model/json.ts'

export type JsonSchema = {
  $ref?: string
  title?: string
  description?: string
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  [keyword: string]: unknown
}

const SCHEMAS = new Set(['items', 'additionalProperties', 'not', 'anyOf', 'oneOf', 'allOf'])
const NAMED_SCHEMAS = new Set(['properties', 'patternProperties'])
/** A keyword that only the check of queries reads. */
const PRIVATE = 'display'

/**
 * Moves every titled schema, inner ones first, into `components` and leaves a reference, with the description if it
 * differs from that of the component.
 */
export function hoistSchema(checked: object, components: Map<string, JsonSchema>): JsonSchema {
  const schema = toDocumented(checked)
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    return isObject(value) ? hoistSchema(value, components) : value
  }
  const entries = Object.entries(schema)
    .filter(([keyword]) => keyword !== PRIVATE)
    .map(([keyword, value]) => {
      if (SCHEMAS.has(keyword)) return [keyword, visit(value)]
      return [keyword, NAMED_SCHEMAS.has(keyword) ? mapValues(value as object, visit) : value]
    })
  const plain: JsonSchema = withAdditionalProperties(Object.fromEntries(entries))
  const { title } = plain
  if (!title) return plain

  if (!/^[\w.-]+$/.test(title)) throw new Error(`A schema cannot be named "${title}"`)
  const { description } = plain
  const existing = components.get(title) ?? plain
  if (!isDeepStrictEqual({ ...existing, description }, { ...plain, description })) {
    throw new Error(`Two different schemas are named ${title}`)
  }
  components.set(title, existing)
  const reference = { $ref: `#/components/schemas/${title}` }
  return description === existing.description ? reference : { ...reference, description }
}

/** Returns the schema that clients should know: `documented`, if the server has reasons to check another. */
export function toDocumented(schema: object): JsonSchema {
  const { documented } = schema as JsonSchema
  return isObject(documented) ? documented : (schema as JsonSchema)
}

/** Turns TypeBox's pattern for every key into `additionalProperties`, the only form that client generators know. */
function withAdditionalProperties({ patternProperties, ...schema }: JsonSchema): JsonSchema {
  if (!isObject(patternProperties)) return schema
  const { '^.*$': every, ...patterns } = patternProperties
  if (!every || Object.keys(patterns).length > 0) return { ...schema, patternProperties }
  return { ...schema, additionalProperties: every }
}

export function mapValues<V, T>(record: Record<string, V> | object, map: (value: V) => T) {
  return Object.fromEntries(
    Object.entries(record as Record<string, V>).map(([key, value]) => [key, map(value)]),
  )
}
