import { parseTextOrNumber, type SearchParams } from '../../ui/list/search-params.ts'

export const toCohortSearch = (search: SearchParams): { search?: string } => ({
  search: parseTextOrNumber(search.search),
})
