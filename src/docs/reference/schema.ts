import type { JsonSchema } from '#server/http/openapi-schema.ts'
import { toSlug } from '../slugs.ts'

export type Schemas = Record<string, JsonSchema>
export type Field = { name: string; required: boolean; description?: string; schema: JsonSchema }

export const schemaName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

export const resolve = (schema: JsonSchema, schemas: Schemas): JsonSchema =>
  schema.$ref ? (schemas[schemaName(schema.$ref)] ?? {}) : schema

export const listChoices = (schema: JsonSchema): JsonSchema[] =>
  (schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[]

/** Lists the allowed values of an `enum`, a `const` or a union of `const`. */
export function listLiterals(schema: JsonSchema): unknown[] {
  if (Array.isArray(schema.enum)) return schema.enum
  if ('const' in schema) return [schema.const]
  const choices = listChoices(schema)
  const isLiteral = (choice: JsonSchema) => 'const' in choice || choice.type === 'null'
  if (!choices.some((choice) => 'const' in choice) || !choices.every(isLiteral)) return []
  return choices.map((choice) => choice.const ?? null)
}

/** Lists the fields of an object. Fields of untitled inner objects get a path: `results[].id`. */
export function listSchemaFields(schema: JsonSchema, schemas: Schemas, prefix = ''): Field[] {
  return listParts(schema, schemas).flatMap((part) =>
    Object.entries(part.properties ?? {}).flatMap(([key, value]) => {
      const name = prefix + key
      const items = value.items as JsonSchema | undefined
      const field = { name, required: part.required?.includes(key) ?? false, schema: value }
      if (items) return [field, ...innerFields(items, schemas, `${name}[].`)]
      return [field, ...innerFields(value, schemas, `${name}.`)]
    }),
  )
}

const innerFields = (schema: JsonSchema, schemas: Schemas, prefix: string): Field[] =>
  schema.$ref ? [] : listSchemaFields(schema, schemas, prefix)

function listParts(schema: JsonSchema, schemas: Schemas): JsonSchema[] {
  const all = (schema.allOf ?? []) as JsonSchema[]
  const choices = listChoices(schema).filter((choice) => choice.type !== 'null' && !choice.$ref)
  return [
    schema,
    ...all.map((part) => resolve(part, schemas)),
    ...(choices.length === 1 ? choices : []),
  ]
}

/** Writes a table of fields as Markdown. */
export function fieldTable(fields: readonly Field[], heading: string): string {
  const allRequired = fields.length > 1 && fields.every((field) => field.required)
  const rows = fields.map(({ name, required, description, schema }) => {
    const mark = required && !allRequired ? ' (required)' : ''
    return `| \`${name}\`${mark} | ${typeName(schema)} | ${notes(schema, description)} |`
  })
  const table = [`| ${heading} | Type | Notes |`, '|---|---|---|', ...rows].join('\n')
  return allRequired ? `${table}\n\nAll fields are required.` : table
}

/** Names a type, with a link to the schema if it has one. */
export function typeName(schema: JsonSchema): string {
  if (schema.$ref) {
    const name = schemaName(schema.$ref)
    return `[${name}](schemas.md#${toSlug(name)})`
  }
  const literals = listLiterals(schema)
  if (literals.length > 0) return [...new Set(literals.map(literalType))].join(' or ')
  const choices = listChoices(schema)
  if (choices.length > 0) return choices.map(typeName).join(' or ')
  const type = [schema.type ?? 'any JSON'].flat().join(' or ')
  if (type === 'array' && hasKeywords(schema.items)) return `array of ${typeName(schema.items)}`
  if (type === 'object' && hasKeywords(schema.additionalProperties)) {
    return `map of ${typeName(schema.additionalProperties)}`
  }
  return typeof schema.format === 'string' ? `${type} (${schema.format})` : type
}

const hasKeywords = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

function literalType(value: unknown): string {
  if (value === null) return 'null'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** Returns the description and the rules of a schema as the text of a table's cell. */
export function notes(schema: JsonSchema, description = schema.description): string {
  const rules = listRules(schema).join(' · ')
  return [toCell(description ?? ''), rules && `(${rules})`].filter(Boolean).join(' ')
}

const toCell = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|')

function listRules(schema: JsonSchema): string[] {
  const literals = listLiterals(schema)
  const value = listChoices(schema).find((choice) => choice.type !== 'null') ?? schema
  const items = value.items as JsonSchema | undefined
  return [
    literals.length > 0 && `one of ${literals.map(code).join(', ')}`,
    range(value.minLength, value.maxLength, ' characters'),
    range(value.minimum, value.maximum, ''),
    range(value.minItems, value.maxItems, ' items'),
    value.pattern !== undefined && `matches ${code(String(value.pattern))}`,
    schema.default !== undefined && `default ${code(schema.default)}`,
    Array.isArray(schema.examples) && `for example ${code(schema.examples[0])}`,
    ...(items ? listRules(items).map((rule) => `each ${rule}`) : []),
  ].filter((rule) => rule !== false)
}

function range(min: unknown, max: unknown, unit: string): string | false {
  const [from, to] = [min, max].map((bound) =>
    // the largest integer of JSON is a limit of the format, not of the field
    Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER
      ? undefined
      : (bound as number | undefined)?.toLocaleString('en'),
  )
  if (from && to) return `${from} to ${to}${unit}`
  if (to) return `at most ${to}${unit}`
  return from !== undefined && `at least ${from}${unit}`
}

/** Surrounds a value with more backticks than it contains, and keeps it in its cell. */
function code(value: unknown): string {
  const text = toCell(typeof value === 'string' ? value : JSON.stringify(value))
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return longest > 0 ? `${fence} ${text} ${fence}` : `${fence}${text || ' '}${fence}`
}
