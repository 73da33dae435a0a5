import type { Operation, Parameter } from '#server/http/openapi-document.ts'
import type { JsonSchema } from '#server/http/openapi-schema.ts'
import { EXAMPLE_ORIGIN } from '../example-origin.ts'
import { listChoices, listLiterals, resolve, type Schemas } from './schema.ts'

const UUID = '0198c0de-7a11-7000-8000-5eedc0ffee00'
const FORMATS: Record<string, string> = {
  'date-time': '2026-01-31T09:30:00Z',
  date: '2026-01-31',
  email: 'ada@example.com',
  uri: 'https://example.com',
  uuid: UUID,
}

export function exampleCurl(
  method: string,
  path: string,
  { security, parameters = [], requestBody }: Operation,
  schemas: Schemas,
): string {
  const sent = parameters.filter((parameter) => parameter.required)
  const values = new Map(sent.map((parameter) => [parameter.name, urlExample(parameter, schemas)]))
  const query = sent.filter((parameter) => parameter.in === 'query')
  const search = query.map(({ name }) => `${name}=${values.get(name)}`).join('&')
  const url = path.replace(/\{(\w+)\}/g, (_, name) => values.get(name) ?? name)
  const body = requestBody?.content['application/json']
  const verb = method === 'get' ? '' : ` -X ${method.toUpperCase()}`
  return [
    `curl${verb} "${EXAMPLE_ORIGIN}${url}${search && `?${search}`}"`,
    security.length > 0 && '-H "Authorization: Bearer $HEDGEROW_KEY"',
    body && "-H 'Content-Type: application/json'",
    body && `-d ${shellQuote(JSON.stringify(exampleValue(body.schema, schemas)))}`,
  ]
    .filter(Boolean)
    .join(' \\\n  ')
}

const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function urlExample({ name, schema }: Parameter, schemas: Schemas): string {
  const value = exampleValue(schema, schemas)
  if (value !== PLAIN_TEXT) return encodeURIComponent(String(value))
  if (name.endsWith('uuid')) return UUID
  return name.endsWith('id') ? '1' : name
}

const PLAIN_TEXT = 'text'

export function exampleValue(schema: JsonSchema, schemas: Schemas): unknown {
  const resolved = resolve(schema, schemas)
  if (Array.isArray(resolved.examples)) return resolved.examples[0]
  const [literal] = listLiterals(resolved)
  if (literal !== undefined) return literal
  const [choice] = listChoices(resolved)
  if (choice) return exampleValue(choice, schemas)
  if (resolved.type === 'object' || resolved.allOf) return exampleObject(resolved, schemas)
  if (resolved.type === 'array') {
    return hasItems(resolved) ? [exampleValue(resolved.items, schemas)] : []
  }
  if (resolved.type === 'boolean') return true
  if (resolved.type === 'integer' || resolved.type === 'number') return resolved.minimum ?? 1
  return FORMATS[String(resolved.format)] ?? PLAIN_TEXT
}

const hasItems = (schema: JsonSchema): schema is JsonSchema & { items: JsonSchema } =>
  schema.items !== undefined

/** Includes the required fields, or the first two if all are optional. */
function exampleObject(schema: JsonSchema, schemas: Schemas): object {
  const { properties = {}, required = Object.keys(properties).slice(0, 2) } = schema
  const parts = ((schema.allOf ?? []) as JsonSchema[]).map((part) => exampleValue(part, schemas))
  const own = required.map((name) => [name, exampleValue(properties[name] ?? {}, schemas)])
  return Object.assign({}, ...parts, Object.fromEntries(own))
}
