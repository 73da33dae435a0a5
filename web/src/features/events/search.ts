import { parsePositive, parseTextOrNumber, type SearchParams } from '../../ui/list/search-params.ts'
import type { SavedFilter } from '../properties/filters-model.ts'
import { toPropertyFilters } from '../properties/search.ts'

export interface EventFilters {
  readonly event?: string | undefined
  /** The ID of an action, instead of an event. */
  readonly action?: number | undefined
  readonly distinct_id?: string
  /** Limits events to the last hours. */
  readonly hours?: number
  readonly properties?: readonly SavedFilter[]
}

export interface EventsSearch extends EventFilters {
  /** Property columns as in `toColumnText`. Default: those last chosen in this browser. */
  readonly columns?: readonly string[]
}

export const toEventsSearch = (search: SearchParams): EventsSearch => ({
  event: parseTextOrNumber(search.event),
  action: parsePositive(search.action),
  distinct_id: parseTextOrNumber(search.distinct_id),
  hours: parsePositive(search.hours),
  properties: toPropertyFilters(search.properties),
  columns: Array.isArray(search.columns) ? search.columns.filter(isText) : undefined,
})

const isText = (value: unknown): value is string => typeof value === 'string'
