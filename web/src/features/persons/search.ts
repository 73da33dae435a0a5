import {
  parseOneOf,
  parsePositive,
  parseTextOrNumber,
  type SearchParams,
} from '../../ui/list/search-params.ts'

export interface PersonsSearch {
  readonly search?: string
}

export const toPersonsSearch = (search: SearchParams): PersonsSearch => ({
  search: parseTextOrNumber(search.search),
})

export const PERSON_TABS = ['events', 'properties', 'ids', 'cohorts', 'activity'] as const
export type PersonTab = (typeof PERSON_TABS)[number]

export interface PersonPageSearch {
  readonly tab?: PersonTab
  /** Limits the events to those with this name. */
  readonly event?: string | undefined
  /** Limits the events to those of this action. */
  readonly action?: number | undefined
}

export const toPersonSearch = (search: SearchParams): PersonPageSearch => ({
  tab: parseOneOf(PERSON_TABS, search.tab),
  event: parseTextOrNumber(search.event),
  action: parsePositive(search.action),
})

export const toFindSearch = (search: SearchParams): { distinct_id?: string } => ({
  distinct_id: parseTextOrNumber(search.distinct_id),
})
