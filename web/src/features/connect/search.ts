import { parseText, type SearchParams } from '../../ui/list/search-params.ts'

/** Query parameters of the connect page. Its tabs are checked by the page, which loads later. */
export const toConnectSearch = (search: SearchParams): { readonly tab?: string } => ({
  tab: parseText(search.tab),
})
