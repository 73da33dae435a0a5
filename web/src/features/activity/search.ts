import {
  parsePositive,
  parseText,
  parseTextOrNumber,
  type SearchParams,
} from '../../ui/list/search-params.ts'

export interface ActivitySearch {
  readonly scope?: string
  readonly item_id?: string
  readonly user?: string
  readonly search?: string
  /** Limits entries to the last days. */
  readonly days?: number
}

export const toActivitySearch = (search: SearchParams): ActivitySearch => ({
  scope: parseText(search.scope),
  item_id: parseTextOrNumber(search.item_id),
  user: parseTextOrNumber(search.user),
  search: parseTextOrNumber(search.search),
  days: parsePositive(search.days),
})
