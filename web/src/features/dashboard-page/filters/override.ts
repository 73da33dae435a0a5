import { listTileFilters, type Filters as TileFilters } from '#model/dashboard-filters.ts'
import { fieldsOf } from '#model/json.ts'
import type { SectionChoices } from '#model/sections.ts'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import type { DashboardSearch, SearchFilter } from '../../dashboard-list/search.ts'
import { toPropertyFilters } from '../../properties/search.ts'

/** Filters from the URL in the API's format, and the sections that the viewer has opened or folded. */
export interface Override {
  readonly filters_override?: string
  readonly value_filter?: string
  readonly variables_override?: string
  readonly sections_override?: string
}

export function toOverride(
  { date_from, date_to, properties, value, variables }: DashboardSearch,
  sections: SectionChoices = {},
): Override {
  const filters = { date_from, date_to, properties }
  const hasFilters = Object.values(filters).some((value) => value !== undefined)
  return {
    ...(hasFilters && { filters_override: JSON.stringify(filters) }),
    ...(value && { value_filter: JSON.stringify(value) }),
    ...(variables && { variables_override: JSON.stringify(toVariables(variables)) }),
    ...(Object.keys(sections).length > 0 && { sections_override: JSON.stringify(sections) }),
  }
}

/** Leaves out the sections, which do not change the results of tiles. */
export const onlyFilters = ({ sections_override: _, ...filters }: Override): Override => filters

export const hasFilters = (override: Override): boolean =>
  Object.keys(onlyFilters(override)).length > 0

/** Lists the filters of a tile's result as the server applies them: the dashboard's, the tile's, then the URL's. */
export const toTileFilters = (
  tile: Tile,
  { filters, override }: { readonly filters: object; readonly override: Override },
): readonly TileFilters[] =>
  listTileFilters(tile.id, tile.filters_overrides, {
    dashboard: filters,
    request: JSON.parse(override.filters_override ?? '{}'),
    value: override.value_filter && JSON.parse(override.value_filter),
  })

/** Tells whether the URL has filters that could be saved, which a clicked value is not. */
export const isOverridden = (search: DashboardSearch): boolean =>
  hasFilters(toOverride({ ...search, value: undefined }))

/** The API identifies variables by id; here the name is the id. */
const toVariables = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      { code_name: name, value: toValue(value) },
    ]),
  )

/** Numeric text becomes a number. */
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

/** Leaves out filters that an API client has nested in groups. */
export const savedProperties = (saved: SavedFilters): readonly SearchFilter[] =>
  toPropertyFilters(savedFilters(saved).properties) ?? []

/** Merges the URL's filters into the saved ones. */
export function toDefaults(saved: SavedFilters, search: DashboardSearch): SavedFilters {
  const { date_from, date_to, properties, variables } = search
  const hasDates = date_from !== undefined || date_to !== undefined
  return {
    filters: {
      ...saved.filters,
      ...(hasDates && { date_from: date_from ?? null, date_to: date_to ?? null }),
      ...(properties && { properties: addFilters(savedFilters(saved).properties, properties) }),
    },
    variables: { ...saved.variables, ...(variables && withSavedIds(saved, variables)) },
  }
}

/** Adds to a saved list, or to groups that an API client has saved. */
function addFilters(saved: unknown, added: readonly SearchFilter[]): unknown {
  const { type, values } = fieldsOf(saved)
  if (!Array.isArray(values)) return [...(toPropertyFilters(saved) ?? []), ...added]
  return { type: 'AND', values: [...(type === 'AND' ? values : [saved]), ...added] }
}

/** Keeps the ids of saved variables. */
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

/** Lists the variables that are saved or that SQL uses as `{variables.name}`, with their values. */
export function listVariables(
  { tiles, variables }: Pick<Dashboard, 'tiles' | 'variables'>,
  search: DashboardSearch,
): readonly { readonly name: string; readonly value: string }[] {
  const known = Object.values(
    variables as Record<string, { code_name?: string; value?: unknown } | null>,
  )
  const used = JSON.stringify(tiles.map(({ insight }) => insight?.query)).matchAll(
    /\{variables\.(\w+)\}/g,
  )
  const names = new Set([
    ...[...used].map(([, name]) => name as string),
    ...known.flatMap((variable) => variable?.code_name ?? []),
  ])
  return [...names].sort().map((name) => {
    const saved = known.find((variable) => variable?.code_name === name)?.value
    return { name, value: search.variables?.[name] ?? String(saved ?? '') }
  })
}
