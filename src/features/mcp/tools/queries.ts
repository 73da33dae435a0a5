import { isObject } from '#model/json.ts'
import { QUERY_KINDS } from '#model/query-kinds/index.ts'
import { SCHEMAS } from '#server/analytics/queries/schemas.ts'
import { type JsonSchema, mapValues } from '#server/http/openapi-schema.ts'
import type { ToolDescriptor } from '../tool.ts'

/** Names and titles that differ from the kind's, and additions to its description. */
const SPECIAL: Readonly<Record<string, { name?: string; title?: string; note?: string }>> = {
  funnels: { name: 'query-funnel' },
  sql: {
    name: 'execute-sql',
    title: 'Run SQL',
    note: ' Tables: `events` (`uuid`, `event`, `distinct_id`, `person_id`, `timestamp`, `properties`, `person.properties`), `persons` (`id`, `created_at`, `properties`), `groups`, `cohort_people`. A property is `properties.name` or `properties.$browser`. Only reads.',
  },
}

/** Fields that a model has no use for. */
const UNOFFERED = ['kind', 'modifiers', 'samplingFactor']

export const QUERY_TOOLS: readonly ToolDescriptor[] = [
  ...QUERY_KINDS.map(toQueryTool),
  {
    name: 'query-run',
    title: 'Run a query',
    description:
      'Runs a query of any kind, given as one object with its `kind`, such as the `query` of an insight.',
    operation: 'runQuery',
    inputs: ['query', 'refresh', 'filters_override', 'variables_override'],
  },
]

/** Each kind of query has a tool whose inputs are the fields of the query. */
function toQueryTool({ id, kind, name, description, newQuery }: (typeof QUERY_KINDS)[number]) {
  const special = SPECIAL[id] ?? {}
  const { kind: _, ...example } = newQuery
  const schema = SCHEMAS.get(kind) as unknown as JsonSchema
  const fields = Object.entries(schema.properties ?? {}).filter(([key]) => !UNOFFERED.includes(key))
  return {
    name: special.name ?? `query-${id}`,
    title: special.title ?? `Query ${name.toLowerCase()}`,
    description: `${description}${special.note ?? ''} Example: ${JSON.stringify(example)}`,
    operation: 'runQuery',
    own: Object.fromEntries(fields.map(([key, field]) => [key, simplify(field)])),
    required: (schema.required ?? []).filter((key) => !UNOFFERED.includes(key)),
    toFields: (own) => ({ query: { ...own, kind } }),
  } satisfies ToolDescriptor
}

/**
 * Shortens a schema to a third, because a model reads all of it: of alternatives only the first remains, which is a
 * value instead of null, and a list of filters instead of nested groups. The server accepts all of them.
 */
function simplify(schema: JsonSchema): unknown {
  const { anyOf, display: _, title: __, ...rest } = schema
  const [first] = Array.isArray(anyOf) ? anyOf : []
  if (isObject(first)) return simplify({ ...rest, ...first } as JsonSchema)
  return {
    ...rest,
    ...(rest.properties && { properties: mapValues(rest.properties, simplify) }),
    ...(isObject(rest.items) && { items: simplify(rest.items as JsonSchema) }),
  }
}
