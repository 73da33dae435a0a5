import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import {
  type DashboardSearch,
  type PropertyFilter,
  toPropertyFilters,
} from '../../dashboards/search.ts'

/** What the address says over a dashboard, as the API takes it. */
export interface Override {
  readonly filters_override?: string
  readonly variables_override?: string
}

export function toOverride({
  date_from,
  date_to,
  properties,
  variables,
}: DashboardSearch): Override {
  const filters = { date_from, date_to, properties }
  const hasFilters = Object.values(filters).some((value) => value !== undefined)
  return {
    ...(hasFilters && { filters_override: JSON.stringify(filters) }),
    ...(variables && { variables_override: JSON.stringify(toVariables(variables)) }),
  }
}

export const isOverridden = (search: DashboardSearch): boolean =>
  Object.keys(toOverride(search)).length > 0

/** The API knows variables by ids; here the name is the id. */
const toVariables = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      { code_name: name, value: toValue(value) },
    ]),
  )

/** Whoever types a number means one. */
const toValue = (text: string): string | number =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text

type SavedFilters = Pick<Dashboard, 'filters' | 'variables'>

interface Filters {
  readonly date_from?: string | null
  readonly date_to?: string | null
  readonly properties?: unknown
}

const savedFilters = ({ filters }: SavedFilters): Filters => filters as Filters

export function savedDates(saved: SavedFilters): Pick<DashboardSearch, 'date_from' | 'date_to'> {
  const { date_from, date_to } = savedFilters(saved)
  return { ...(date_from && { date_from }), ...(date_to && { date_to }) }
}

/** A list of them; what an API client has nested in groups is left alone. */
export const savedProperties = (saved: SavedFilters): readonly PropertyFilter[] =>
  toPropertyFilters(savedFilters(saved).properties) ?? []

/** What the dashboard says from now on, so that the address need not. */
export function toDefaults(saved: SavedFilters, search: DashboardSearch): SavedFilters {
  const { date_from, date_to, properties, variables } = search
  const hasDates = date_from !== undefined || date_to !== undefined
  return {
    filters: {
      ...saved.filters,
      ...(hasDates && { date_from: date_from ?? null, date_to: date_to ?? null }),
      ...(properties && { properties: [...savedProperties(saved), ...properties] }),
    },
    variables: { ...saved.variables, ...(variables && withSavedIds(saved, variables)) },
  }
}

/** A variable that has an id of its own keeps it. */
function withSavedIds(saved: SavedFilters, values: Readonly<Record<string, string>>): object {
  const ids = new Map(
    Object.entries(saved.variables as Record<string, { code_name?: string } | null>).map(
      ([id, variable]) => [variable?.code_name, id],
    ),
  )
  return Object.fromEntries(
    Object.entries(toVariables(values)).map(([name, variable]) => [
      ids.get(name) ?? name,
      { ...variable },
    ]),
  )
}

/** What the tiles' SQL asks for as `{variables.name}`, and what is known of each. */
export function listVariables(
  { tiles, variables }: Pick<Dashboard, 'tiles' | 'variables'>,
  search: DashboardSearch,
): readonly { readonly name: string; readonly value: string }[] {
  const known = Object.values(
    variables as Record<string, { code_name?: string; value?: unknown } | null>,
  )
  const asked = JSON.stringify(tiles.map(({ insight }) => insight?.query)).matchAll(
    /\{variables\.(\w+)\}/g,
  )
  const names = new Set([
    ...[...asked].map(([, name]) => name as string),
    ...known.flatMap((variable) => variable?.code_name ?? []),
  ])
  return [...names].sort().map((name) => {
    const saved = known.find((variable) => variable?.code_name === name)?.value
    return { name, value: search.variables?.[name] ?? String(saved ?? '') }
  })
}
