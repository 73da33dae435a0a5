import type { Source } from '#server/analytics/queries/answer.ts'

type Json = Readonly<Record<string, unknown>>

/** What a dashboard or a tile says over the queries it shows. */
export interface Filters {
  readonly date_from?: string | null
  readonly date_to?: string | null
  readonly properties?: unknown
}

/** By their ids: `{ code_name, value }`. */
export type Variables = Readonly<Record<string, { code_name?: unknown; value?: unknown } | null>>

export interface Overrides {
  /** The later ones win where both say something of the dates; properties all count. */
  readonly filters: readonly Filters[]
  readonly variables: Variables
}

export const NO_OVERRIDES: Overrides = { filters: [], variables: {} }

/** The query as it is asked in this place. */
export function applyOverrides(source: Source, { filters, variables }: Overrides): Source {
  const query = filters.reduce(applyFilters, source as Source & Json)
  return query.kind === 'HogQLQuery' ? applyVariables(query, variables) : query
}

function applyFilters(query: Source & Json, filters: Filters): Source & Json {
  const { date_from, date_to, properties } = filters
  const hasDates = isText(date_from) || isText(date_to)
  return {
    ...query,
    ...(hasDates && { dateRange: { date_from: date_from ?? null, date_to: date_to ?? null } }),
    ...(isFilled(properties) && { properties: all(query.properties, properties) }),
  }
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

const isFilled = (properties: unknown): boolean =>
  Array.isArray(properties)
    ? properties.length > 0
    : typeof properties === 'object' && properties !== null

/** Lists stay lists; otherwise groups of which all must hold. */
function all(one: unknown, other: unknown): unknown {
  if (!isFilled(one)) return other
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other]
  return { type: 'AND', values: [toGroup(one), toGroup(other)] }
}

const toGroup = (properties: unknown): unknown =>
  Array.isArray(properties) ? { type: 'AND', values: properties } : properties

/**
 * `{variables.name}` becomes a literal: the text is parsed and checked afterwards like any other, so that a value
 * cannot be more than a value.
 */
function applyVariables(query: Source & Json, variables: Variables): Source & Json {
  const values = new Map(
    Object.values(variables).map((variable) => [variable?.code_name, variable?.value]),
  )
  const text = String(query.query).replace(/\{variables\.(\w+)\}/g, (whole, name) =>
    values.has(name) ? toLiteral(values.get(name)) : whole,
  )
  return { ...query, query: text }
}

function toLiteral(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value === 'boolean') return String(value)
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return `(${value.map(toLiteral).join(', ')})`
  return `'${String(value).replaceAll("'", "''")}'`
}
