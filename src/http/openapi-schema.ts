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

/** Moves every titled schema, inner ones first, into `components` and leaves a reference. */
export function hoistSchema(schema: object, components: Map<string, JsonSchema>): JsonSchema {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    return isObject(value) ? hoistSchema(value, components) : value
  }
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (SCHEMAS.has(keyword)) return [keyword, visit(value)]
    return [keyword, NAMED_SCHEMAS.has(keyword) ? mapValues(value as object, visit) : value]
  })
  const plain: JsonSchema = withAdditionalProperties(Object.fromEntries(entries))
  const { title } = plain
  if (!title) return plain

  if (!/^[\w.-]+$/.test(title)) throw new Error(`A schema cannot be named "${title}"`)
  const existing = components.get(title)
  if (existing && !isDeepStrictEqual(existing, plain)) {
    throw new Error(`Two different schemas are named ${title}`)
  }
  components.set(title, plain)
  return { $ref: `#/components/schemas/${title}` }
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
