import { fieldsOf } from '#model/json.ts'
import {
  type ListSearch,
  parseFlag,
  parseListSearch,
  parsePositive,
  parseText,
  type SearchParams,
} from '../../ui/list/search-params.ts'
import { type ShownComments, toShownComments } from '../comments/place.ts'
import type { SavedFilter } from '../properties/filters-model.ts'
import { toPropertyFilters } from '../properties/search.ts'

export const VIEWS = ['pinned', 'mine', 'shared', 'trash'] as const
export type View = (typeof VIEWS)[number]

export const SORTS = ['-last_modified_at', '-created_at', 'created_at', 'name', '-name'] as const
export type Sort = (typeof SORTS)[number]

/** Query parameters of the list, so a link shares the same view. Default order: pinned first, then by name. */
export type DashboardListSearch = ListSearch<View, Sort>

export const toListSearch = (search: SearchParams): DashboardListSearch =>
  parseListSearch(VIEWS, SORTS, search)

export interface TemplatesSearch {
  readonly search?: string
}

export const toTemplatesSearch = (search: SearchParams): TemplatesSearch => ({
  search: parseText(search.search),
})

/** A condition that all counted events meet. */
export type SearchFilter = SavedFilter

/** A clicked value, which filters the other tiles. */
export interface SearchValue {
  readonly tile: number
  readonly properties: readonly SearchFilter[]
}

/** Query parameters of a dashboard, which override its saved filters. */
export interface DashboardSearch {
  readonly date_from?: string
  readonly date_to?: string
  readonly properties?: readonly SearchFilter[]
  /** The value that was clicked in a tile. */
  readonly value?: SearchValue
  /** Values by variable name. */
  readonly variables?: Readonly<Record<string, string>>
  /** The content of the drawer of comments; undefined: closed. */
  readonly comments?: ShownComments
  readonly kiosk?: true
  /** Dashboards that TV mode shows in turn. */
  readonly rotate?: readonly number[]
  /** The seconds for which each of them is shown. */
  readonly seconds?: number
  /** Seconds. */
  readonly refresh?: number
}

export const toDashboardSearch = (search: SearchParams): DashboardSearch => ({
  date_from: parseText(search.date_from),
  date_to: parseText(search.date_to),
  properties: toPropertyFilters(search.properties),
  value: toValue(search.value),
  variables: toVariables(search.variables),
  comments: toShownComments(search.comments),
  kiosk: parseFlag(search.kiosk),
  rotate: toIds(search.rotate),
  seconds: toRefresh(search.seconds),
  refresh: toRefresh(search.refresh),
})

/** In seconds. A shorter interval overloads the server; browsers treat much longer timers as zero. */
const REFRESH = { min: 5, max: 86_400 }

function toRefresh(value: unknown): number | undefined {
  const seconds = parsePositive(value)
  return seconds && Math.min(Math.max(seconds, REFRESH.min), REFRESH.max)
}

/** Reads IDs from a list, or from text like "1,2,3", which is easier to write by hand. */
function toIds(value: unknown): readonly number[] | undefined {
  const given = Array.isArray(value) ? value : String(value ?? '').split(',')
  const ids = given.map(Number).filter((id) => Number.isSafeInteger(id) && id > 0)
  return ids.length > 0 ? ids : undefined
}

function toValue(value: unknown): SearchValue | undefined {
  const { tile, properties } = fieldsOf(value)
  const filters = toPropertyFilters(properties)
  const id = parsePositive(tile)
  return id && filters ? { tile: id, properties: filters } : undefined
}

function toVariables(value: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const given = Object.entries(value).filter(([, text]) =>
    ['string', 'number'].includes(typeof text),
  )
  return given.length > 0
    ? Object.fromEntries(given.map(([name, text]) => [name, String(text)]))
    : undefined
}
