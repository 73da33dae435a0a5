import { isObject } from '#model/json.ts'
import { findKind } from '#model/query-kinds/index.ts'
import type { DashboardFilter } from '#model/query-kinds/query-kind.ts'
import type { ValidQuery } from '#server/analytics/queries/run-query.ts'
import { invalid } from '#server/errors.ts'
import { hasEffect } from './require-understood.ts'

type Json = Readonly<Record<string, unknown>>

/** Filters of a dashboard, tile or request that override those of a query. */
export interface Filters {
  readonly date_from?: string | null
  readonly date_to?: string | null
  readonly explicitDate?: boolean | null
  readonly properties?: unknown
}

/** Variables by id. */
export type Variables = Readonly<Record<string, Variable | null>>

interface Variable {
  readonly code_name?: unknown
  readonly value?: unknown
  readonly isNull?: unknown
}

export interface Overrides {
  /** Applied in order: the last dates win, all properties apply. */
  readonly filters: readonly Filters[]
  readonly variables: Variables
}

export const NO_OVERRIDES: Overrides = { filters: [], variables: {} }

export interface AppliedOverrides {
  readonly source: ValidQuery
  /** The keys of filters that cannot change the result. */
  readonly unreached: readonly string[]
}

export function applyOverrides(
  source: ValidQuery,
  { filters, variables }: Overrides,
): AppliedOverrides {
  const kind = findKind(source.kind)
  const unreachable = kind?.listUnreached?.(source) ?? []
  const applied = filters
    .map((given) => toReaching(given, unreachable))
    .reduce(kind?.textField ? applyToText : applyFilters, source as ValidQuery & Json)
  return {
    source: kind?.textField ? applyVariables(applied, kind.textField, variables) : applied,
    unreached: listUnreached(filters, unreachable),
  }
}

const APPLICABLE: readonly string[] = [
  'date_from',
  'date_to',
  'explicitDate',
  'properties',
] satisfies (keyof Filters)[]

/** Refuses filters of a request that this server does not know; those of a dashboard are named on its tiles. */
export function requireKnownFilters(filters: object, attr: string): void {
  const unknown = listUnreached([filters], [])[0]
  if (unknown === undefined) return
  throw invalid(`${attr}__${unknown}`, `"${unknown.slice(0, 100)}" cannot be applied. Remove it.`)
}

/** Includes keys that this server does not know. */
function listUnreached(
  filters: readonly Filters[],
  unreachable: readonly DashboardFilter[],
): string[] {
  const keys = filters.flatMap((each) =>
    Object.entries(each).flatMap(([key, value]) => (hasEffect(value) ? [key] : [])),
  )
  const isUnreached = (key: string) =>
    !APPLICABLE.includes(key) || (unreachable as readonly string[]).includes(key)
  return [...new Set(keys)].filter(isUnreached)
}

/** Leaves out filters that change nothing. Dates are a pair: if one of them matters, both apply. */
function toReaching(filters: Filters, unreachable: readonly DashboardFilter[]): Filters {
  const { date_from, date_to, explicitDate, properties } = filters
  const reaches = (key: DashboardFilter) => !unreachable.includes(key)
  return {
    ...((reaches('date_from') || reaches('date_to')) && { date_from, date_to, explicitDate }),
    ...(reaches('properties') && { properties }),
  } as Filters
}

const applyFilters = (query: ValidQuery & Json, filters: Filters): ValidQuery & Json => ({
  ...query,
  ...toFilterFields(query, filters),
})

/** SQL has the filters where its text places them. */
function applyToText(query: ValidQuery & Json, filters: Filters): ValidQuery & Json {
  const own = isObject(query.filters) ? query.filters : {}
  const fields = toFilterFields(own, filters)
  return Object.keys(fields).length > 0 ? { ...query, filters: { ...own, ...fields } } : query
}

function toFilterFields(current: Json, filters: Filters): Json {
  const { date_from = null, date_to = null, explicitDate, properties } = filters
  const hasDates = isText(date_from) || isText(date_to)
  return {
    ...(hasDates && {
      dateRange: { date_from, date_to, ...(explicitDate === true && { explicitDate }) },
    }),
    ...(isFilled(properties) && { properties: combineProperties(current.properties, properties) }),
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

/** Replaces the variables that the text uses; another variable would only give the result a key of its own. */
function applyVariables(
  query: ValidQuery & Json,
  field: string,
  variables: Variables,
): ValidQuery & Json {
  const text = String(query[field])
  const used = Object.values(variables).filter(
    (variable): variable is Variable =>
      isObject(variable) && text.includes(`variables.${variable.code_name}`),
  )
  if (used.length === 0) return query
  const own = Object.values(isObject(query.variables) ? query.variables : {}) as Variable[]
  const byName = new Map([...own, ...used].map((each) => [String(each.code_name), each]))
  const entries = [...byName].map(([code_name, { value, isNull }]) => [
    code_name,
    { code_name, value: isNull === true ? null : value },
  ])
  return { ...query, variables: Object.fromEntries(entries) }
}
