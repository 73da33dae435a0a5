import { choicesOf, literalsOf, resolve, type Schemas } from './docs-page-schema.ts'
import type { Operation, Parameter } from './openapi-document.ts'
import type { JsonSchema } from './openapi-schema.ts'

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
  const values = new Map(sent.map((parameter) => [parameter.name, urlSample(parameter, schemas)]))
  const query = sent.filter((parameter) => parameter.in === 'query')
  const search = query.map(({ name }) => `${name}=${values.get(name)}`).join('&')
  const url = path.replace(/\{(\w+)\}/g, (_, name) => values.get(name) ?? name)
  const body = requestBody?.content['application/json']
  const verb = method === 'get' ? '' : ` -X ${method.toUpperCase()}`
  return [
    `curl${verb} "$HEDGEROW_URL${url}${search && `?${search}`}"`,
    security.length > 0 && '-H "Authorization: Bearer $HEDGEROW_KEY"',
    body && "-H 'Content-Type: application/json'",
    body && `-d ${shellQuote(JSON.stringify(exampleValue(body.schema, schemas)))}`,
  ]
    .filter(Boolean)
    .join(' \\\n  ')
}

const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function urlSample({ name, schema }: Parameter, schemas: Schemas): string {
  const sample = exampleValue(schema, schemas)
  if (sample !== PLAIN_TEXT) return encodeURIComponent(String(sample))
  if (name.endsWith('uuid')) return UUID
  return name.endsWith('id') ? '1' : name
}

const PLAIN_TEXT = 'text'

export function exampleValue(schema: JsonSchema, schemas: Schemas): unknown {
  const known = resolve(schema, schemas)
  if (Array.isArray(known.examples)) return known.examples[0]
  const [literal] = literalsOf(known)
  if (literal !== undefined) return literal
  const [choice] = choicesOf(known)
  if (choice) return exampleValue(choice, schemas)
  if (known.type === 'object' || known.allOf) return sampleObject(known, schemas)
  if (known.type === 'array') {
    return hasItems(known) ? [exampleValue(known.items, schemas)] : []
  }
  if (known.type === 'boolean') return true
  if (known.type === 'integer' || known.type === 'number') return known.minimum ?? 1
  return FORMATS[String(known.format)] ?? PLAIN_TEXT
}

const hasItems = (schema: JsonSchema): schema is JsonSchema & { items: JsonSchema } =>
  schema.items !== undefined

/** What must be sent, or the first two fields when all may be left out. */
function sampleObject(schema: JsonSchema, schemas: Schemas): object {
  const { properties = {}, required = Object.keys(properties).slice(0, 2) } = schema
  const parts = ((schema.allOf ?? []) as JsonSchema[]).map((part) => exampleValue(part, schemas))
  const own = required.map((name) => [name, exampleValue(properties[name] ?? {}, schemas)])
  return Object.assign({}, ...parts, Object.fromEntries(own))
}
