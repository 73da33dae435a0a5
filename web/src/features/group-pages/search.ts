import { parseOneOf, parseTextOrNumber, type SearchParams } from '../../ui/list/search-params.ts'
import type { SavedFilter } from '../properties/filters-model.ts'
import { toPropertyFilters } from '../properties/search.ts'

export interface GroupsSearch {
  /** The index of the type of groups. Default: the first. */
  readonly type?: number
  readonly search?: string | undefined
  readonly properties?: readonly SavedFilter[] | undefined
}

export const toGroupsSearch = (search: SearchParams): GroupsSearch => ({
  type: Number.isInteger(search.type) ? (search.type as number) : undefined,
  search: parseTextOrNumber(search.search),
  properties: toPropertyFilters(search.properties),
})

export const GROUP_TABS = ['events', 'properties', 'persons', 'activity'] as const
export type GroupTab = (typeof GROUP_TABS)[number]

export interface GroupPageSearch {
  readonly tab?: GroupTab
}

export const toGroupSearch = (search: SearchParams): GroupPageSearch => ({
  tab: parseOneOf(GROUP_TABS, search.tab),
})
