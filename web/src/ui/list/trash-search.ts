import { parseOneOf, parseTextOrNumber, type SearchParams } from './search-params.ts'

/** The search of a list whose records can be in the trash. */
export interface TrashSearch {
  readonly search?: string
  /** Default: everything outside the trash. */
  readonly view?: 'trash'
}

export const toTrashSearch = (search: SearchParams): TrashSearch => ({
  search: parseTextOrNumber(search.search),
  view: parseOneOf(['trash'] as const, search.view),
})
