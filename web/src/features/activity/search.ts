import { type Search, textOf } from '../../ui/search.ts'

export interface ActivitySearch {
  readonly scope?: string
}

export const toActivitySearch = (search: Search): ActivitySearch => ({
  scope: textOf(search.scope),
})
