import { isObject } from './json.ts'
import { findKind } from './query-kinds/index.ts'
import type { DashboardFilter } from './query-kinds/query-kind.ts'

type Json = Readonly<Record<string, unknown>>

/** Filters of a dashboard, tile or request that override those of a query. */
export interface Filters {
  readonly date_from?: string | null
  readonly date_to?: string | null
  readonly explicitDate?: boolean | null
  readonly properties?: unknown
}

/** A value that was clicked in a tile. It filters the other tiles, and changes nothing on the dashboard. */
export interface ValueFilter {
  readonly tile?: number
  readonly properties: unknown
}

interface TileFilters {
  readonly dashboard: Filters
  readonly request?: Filters | undefined
  readonly value?: ValueFilter | undefined
}

/** Lists the filters of a tile in their order. A tile with `"value_filter": false` ignores clicked values. */
export function listTileFilters(
  tileId: number,
  { value_filter: followsValues, ...own }: Filters & { readonly value_filter?: unknown },
  { dashboard, request, value }: TileFilters,
): Filters[] {
  const isFiltered = value && value.tile !== tileId && followsValues !== false
  return [
    dashboard,
    own,
    ...(request ? [request] : []),
    ...(isFiltered ? [{ properties: value.properties }] : []),
  ]
}

/** Applies filters to a query in their order: the last dates win, all properties apply. */
export function applyFilters<Query extends { readonly kind: string } & Json>(
  query: Query,
  filters: readonly Filters[],
): Query {
  const kind = findKind(query.kind)
  const unreachable = kind?.listNotApplied?.(query) ?? []
  return filters
    .map((given) => toReaching(given, unreachable))
    .reduce<Query>(kind?.textField ? applyToText : applyToFields, query)
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

const applyToFields = <Query extends Json>(query: Query, filters: Filters): Query => ({
  ...query,
  ...toFilterFields(query, filters),
})

/** SQL has the filters where its text places them. */
function applyToText<Query extends Json>(query: Query, filters: Filters): Query {
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
