import { findKind } from '#model/query-kinds/index.ts'
import type { ValidQuery } from '#server/analytics/queries/run-query.ts'

type Json = Readonly<Record<string, unknown>>

/** Filters of a dashboard, tile or request that override those of a query. */
export interface Filters {
  readonly date_from?: string | null
  readonly date_to?: string | null
  readonly properties?: unknown
}

/** Variables by id. */
export type Variables = Readonly<Record<string, { code_name?: unknown; value?: unknown } | null>>

export interface Overrides {
  /** Applied in order: the last dates win, all properties apply. */
  readonly filters: readonly Filters[]
  readonly variables: Variables
}

export const NO_OVERRIDES: Overrides = { filters: [], variables: {} }

export function applyOverrides(source: ValidQuery, { filters, variables }: Overrides): ValidQuery {
  const query = filters.reduce(applyFilters, source as ValidQuery & Json)
  const field = findKind(query.kind)?.textField
  if (!field) return query
  const text = applyVariables(String(query[field]), variables)
  return { ...query, [field]: text } as ValidQuery
}

function applyFilters(query: ValidQuery & Json, filters: Filters): ValidQuery & Json {
  const { date_from, date_to, properties } = filters
  const hasDates = isText(date_from) || isText(date_to)
  return {
    ...query,
    ...(hasDates && { dateRange: { date_from: date_from ?? null, date_to: date_to ?? null } }),
    ...(isFilled(properties) && {
      properties: combineProperties(query.properties, properties),
    }),
  }
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

/** Whether property filters filter anything. */
export const isFilled = (properties: unknown): boolean =>
  Array.isArray(properties)
    ? properties.length > 0
    : typeof properties === 'object' && properties !== null

/** Requires all properties of both: two lists become one list, anything else an AND group. */
function combineProperties(first: unknown, second: unknown): unknown {
  if (!isFilled(first)) return second
  if (Array.isArray(first) && Array.isArray(second)) return [...first, ...second]
  return { type: 'AND', values: [toGroup(first), toGroup(second)] }
}

const toGroup = (properties: unknown): unknown =>
  Array.isArray(properties) ? { type: 'AND', values: properties } : properties

/** Replaces `{variables.name}` by a literal. The SQL is parsed and checked afterwards, so a value stays a value. */
function applyVariables(text: string, variables: Variables): string {
  const values = new Map(
    Object.values(variables).map((variable) => [variable?.code_name, variable?.value]),
  )
  return text.replace(/\{variables\.(\w+)\}/g, (placeholder, name) =>
    values.has(name) ? toLiteral(values.get(name)) : placeholder,
  )
}

function toLiteral(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value === 'boolean') return String(value)
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return `(${value.map(toLiteral).join(', ')})`
  return `'${String(value).replaceAll("'", "''")}'`
}
