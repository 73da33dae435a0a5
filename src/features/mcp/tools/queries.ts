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
    note: ' Tables: `events` (`uuid`, `event`, `distinct_id`, `person_id`, `timestamp`, `properties`, `person.properties`), `persons` (`id`, `created_at`, `properties`), `groups`, `cohort_people`, `sessions` (`session_id`, `person_id`, `$start_timestamp`, `$session_duration`, `$is_bounce`, `$entry_pathname`, `$channel_type`, ...). A property is `properties.name` or `properties.$browser`. Only reads.',
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
 * Shortens a schema to a third, because a model reads all of it: without null, and without nested groups of filters
 * where a list is an alternative. The server accepts all of them.
 */
function simplify(schema: JsonSchema): unknown {
  const { anyOf: _, display: __, title: ___, ...rest } = schema
  const alternatives = listAlternatives(schema)
  const [first, ...others] = alternatives
  if (others.length > 0) return { ...rest, anyOf: alternatives.map(simplify) }
  if (first && first !== schema) return simplify({ ...rest, ...first })
  return {
    ...rest,
    ...(rest.properties && { properties: mapValues(rest.properties, simplify) }),
    ...(isObject(rest.items) && { items: simplify(rest.items as JsonSchema) }),
  }
}

function listAlternatives(schema: JsonSchema): readonly JsonSchema[] {
  if (!Array.isArray(schema.anyOf)) return [schema]
  const values = schema.anyOf.flatMap(listAlternatives).filter(({ type }) => type !== 'null')
  const flat = values.filter(({ properties }) => !properties)
  return flat.length > 0 ? flat : values
}
