import { positiveOf, type Search, textOf, wordOf } from '../../ui/search-params.ts'

export interface ActivitySearch {
  readonly scope?: string
  readonly item_id?: string
  readonly user?: string
  readonly search?: string
  /** Limits entries to the last days. */
  readonly days?: number
}

export const toActivitySearch = (search: Search): ActivitySearch => ({
  scope: textOf(search.scope),
  item_id: wordOf(search.item_id),
  user: wordOf(search.user),
  search: wordOf(search.search),
  days: positiveOf(search.days),
})
