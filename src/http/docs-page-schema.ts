import { type Html, html, inlineProse, joinHtml } from '../html/html.ts'
import type { JsonSchema } from './openapi-schema.ts'

export type Schemas = Record<string, JsonSchema>
export type Field = { name: string; required: boolean; description?: string; schema: JsonSchema }

export const schemaName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

export const resolve = (schema: JsonSchema, schemas: Schemas): JsonSchema =>
  schema.$ref ? (schemas[schemaName(schema.$ref)] ?? {}) : schema

export const choicesOf = (schema: JsonSchema): JsonSchema[] =>
  (schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[]

/** Lists the allowed values of an `enum`, a `const` or a union of `const`. */
export function literalsOf(schema: JsonSchema): unknown[] {
  if (Array.isArray(schema.enum)) return schema.enum
  if ('const' in schema) return [schema.const]
  const choices = choicesOf(schema)
  const isLiteral = (choice: JsonSchema) => 'const' in choice || choice.type === 'null'
  if (!choices.some((choice) => 'const' in choice) || !choices.every(isLiteral)) return []
  return choices.map((choice) => choice.const ?? null)
}

/** Lists the fields of an object. Fields of untitled inner objects get a path: `results[].id`. */
export function listSchemaFields(schema: JsonSchema, schemas: Schemas, prefix = ''): Field[] {
  return partsOf(schema, schemas).flatMap((part) =>
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

function partsOf(schema: JsonSchema, schemas: Schemas): JsonSchema[] {
  const all = (schema.allOf ?? []) as JsonSchema[]
  const choices = choicesOf(schema).filter((choice) => choice.type !== 'null' && !choice.$ref)
  return [
    schema,
    ...all.map((part) => resolve(part, schemas)),
    ...(choices.length === 1 ? choices : []),
  ]
}

export function fieldTable(fields: Field[], heading: string): Html {
  const allRequired = fields.every((field) => field.required)
  const rows = fields.map(
    ({ name, required, description, schema }) => html`<tr>
<th scope="row"><code>${name}</code>${required && !allRequired && html` <span class="required">required</span>`}</th>
<td class="type">${schemaTypeName(schema)}</td>
<td>${notes(schema, description)}</td>
</tr>`,
  )
  return html`<table>
<thead><tr><th scope="col">${heading}</th><th scope="col">Type</th><th scope="col">Notes</th></tr></thead>
<tbody>${rows}</tbody>
</table>${allRequired && fields.length > 1 && html`<p class="aside">All fields are required.</p>`}`
}

export function schemaTypeName(schema: JsonSchema): Html {
  if (schema.$ref) {
    const name = schemaName(schema.$ref)
    return html`<a href="#schema-${name}">${name}</a>`
  }
  const literals = literalsOf(schema)
  if (literals.length > 0) return html`${[...new Set(literals.map(literalType))].join(' or ')}`
  const choices = choicesOf(schema)
  if (choices.length > 0) return joinHtml(choices.map(schemaTypeName), ' or ')
  const type = [schema.type ?? 'any JSON'].flat().join(' or ')
  if (type === 'array' && hasKeywords(schema.items)) {
    return html`array of ${schemaTypeName(schema.items)}`
  }
  if (type === 'object' && hasKeywords(schema.additionalProperties)) {
    return html`map of ${schemaTypeName(schema.additionalProperties)}`
  }
  return html`${type}${typeof schema.format === 'string' && html` <span class="format">${schema.format}</span>`}`
}

const hasKeywords = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

function literalType(value: unknown): string {
  if (value === null) return 'null'
  return Number.isInteger(value) ? 'integer' : typeof value
}

export function notes(schema: JsonSchema, description = schema.description): Html {
  const rules = rulesOf(schema)
  return html`${description && html`<p>${inlineProse(description)}</p>`}${rules.length > 0 && html`<p class="rules">${joinHtml(rules, ' · ')}</p>`}`
}

function rulesOf(schema: JsonSchema): Html[] {
  const literals = literalsOf(schema)
  const value = choicesOf(schema).find((choice) => choice.type !== 'null') ?? schema
  const items = value.items as JsonSchema | undefined
  return [
    literals.length > 0 && html`one of ${joinHtml(literals.map(code), ', ')}`,
    range(value.minLength, value.maxLength, ' characters'),
    range(value.minimum, value.maximum, ''),
    range(value.minItems, value.maxItems, ' items'),
    value.pattern !== undefined && html`matches <code>${String(value.pattern)}</code>`,
    schema.default !== undefined && html`default ${code(schema.default)}`,
    Array.isArray(schema.examples) && html`for example ${code(schema.examples[0])}`,
    ...(items ? rulesOf(items).map((rule) => html`each ${rule}`) : []),
  ].filter((rule) => rule !== false)
}

function range(min: unknown, max: unknown, unit: string): Html | false {
  const [from, to] = [min, max].map((bound) => (bound as number | undefined)?.toLocaleString('en'))
  if (from && to) return html`${from} to ${to}${unit}`
  if (to) return html`at most ${to}${unit}`
  return from !== undefined && html`at least ${from}${unit}`
}

const code = (value: unknown): Html =>
  html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`
