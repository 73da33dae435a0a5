import { parseOneOf, parseTextOrNumber, type SearchParams } from '../../ui/list/search-params.ts'

export interface CohortsSearch {
  readonly search?: string
  /** Default: everything outside the trash. */
  readonly view?: 'trash'
}

export const toCohortsSearch = (search: SearchParams): CohortsSearch => ({
  search: parseTextOrNumber(search.search),
  view: parseOneOf(['trash'] as const, search.view),
})

export const toCohortSearch = (search: SearchParams): { search?: string } => ({
  search: parseTextOrNumber(search.search),
})
