import { applyFilters, type Filters } from '#model/dashboard-filters.ts'
import { isObject } from '#model/json.ts'
import { findKind } from '#model/query-kinds/index.ts'
import type { DashboardFilter } from '#model/query-kinds/query-kind.ts'
import type { ValidQuery } from '#server/analytics/queries/run-query.ts'
import { invalid } from '#server/errors.ts'
import { hasEffect } from '#server/http/require-understood.ts'
import { canNarrow, type NarrowedDates, narrowDates } from './narrow-dates.ts'

type Json = Readonly<Record<string, unknown>>

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
  /** Cut the date range that results from the filters. */
  readonly dates?: NarrowedDates | undefined
}

export const NO_OVERRIDES: Overrides = { filters: [], variables: {} }

export interface AppliedOverrides {
  readonly source: ValidQuery
  /** The keys of filters that cannot change the result. */
  readonly notApplied: readonly string[]
}

export function applyOverrides(
  source: ValidQuery,
  { filters, variables, dates }: Overrides,
): AppliedOverrides {
  const kind = findKind(source.kind)
  const unreachable = kind?.listNotApplied?.(source) ?? []
  const filtered = applyFilters(source as ValidQuery & Json, filters)
  const applied = dates ? (narrowDates(filtered, dates) as ValidQuery & Json) : filtered
  const notApplied = listNotApplied(filters, unreachable)
  return {
    source: kind?.textField ? applyVariables(applied, kind.textField, variables) : applied,
    notApplied: dates && !canNarrow(source) ? listAll(notApplied, dates) : notApplied,
  }
}

/** Adds the dates that were chosen. */
const listAll = (keys: readonly string[], dates: NarrowedDates): string[] => [
  ...new Set([...keys, ...DATES.filter((key) => dates[key] !== undefined)]),
]

const DATES = ['date_from', 'date_to'] as const

const APPLICABLE: readonly string[] = [
  'date_from',
  'date_to',
  'explicitDate',
  'properties',
] satisfies (keyof Filters)[]

/** Refuses filters of a request that this server does not know; those of a dashboard are named on its tiles. */
export function requireKnownFilters(filters: object, attr: string): void {
  const unknown = listNotApplied([filters], [])[0]
  if (unknown === undefined) return
  throw invalid(`${attr}__${unknown}`, `"${unknown.slice(0, 100)}" cannot be applied. Remove it.`)
}

/** Includes keys that this server does not know. */
function listNotApplied(
  filters: readonly Filters[],
  unreachable: readonly DashboardFilter[],
): string[] {
  const keys = filters.flatMap((each) =>
    Object.entries(each).flatMap(([key, value]) => (hasEffect(value) ? [key] : [])),
  )
  const isNotApplied = (key: string) =>
    !APPLICABLE.includes(key) || (unreachable as readonly string[]).includes(key)
  return [...new Set(keys)].filter(isNotApplied)
}

/** Replaces only the variables that the text uses, because others would only change the cache key. */
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
