import { parseOneOf, parseTextOrNumber, type SearchParams } from '../../ui/list/search-params.ts'

export const TABS = ['events', 'event-properties', 'person-properties'] as const
export type Tab = (typeof TABS)[number]

export interface DataSearch {
  /** Default: events. */
  readonly tab?: Tab
  readonly search?: string
  /** Default: all. */
  readonly view?: 'verified'
}

export const toDataSearch = (search: SearchParams): DataSearch => ({
  tab: parseOneOf(TABS, search.tab),
  search: parseTextOrNumber(search.search),
  view: parseOneOf(['verified'] as const, search.view),
})
