import { flagOf, oneOf, positiveOf, type Search, textOf, textsOf } from '../../ui/search.ts'

export const VIEWS = ['pinned', 'mine', 'shared', 'trash'] as const
export type View = (typeof VIEWS)[number]

export const SORTS = ['-last_modified_at', '-created_at', 'created_at', 'name', '-name'] as const
export type Sort = (typeof SORTS)[number]

/** What the address of the list says: sharing it shares what is seen. */
export interface ListSearch {
  readonly search?: string
  readonly tags?: readonly string[]
  /** All that are not in the trash, if not said. */
  readonly view?: View
  /** Pinned ones first, then by name, if not said. */
  readonly sort?: Sort
}

export const toListSearch = (search: Search): ListSearch => ({
  search: textOf(search.search),
  tags: textsOf(search.tags),
  view: oneOf(VIEWS, search.view),
  sort: oneOf(SORTS, search.sort),
})

export interface TemplatesSearch {
  readonly search?: string
}

export const toTemplatesSearch = (search: Search): TemplatesSearch => ({
  search: textOf(search.search),
})

/** What the address of a dashboard says over it. */
export interface DashboardSearch {
  readonly date_from?: string
  readonly date_to?: string
  readonly kiosk?: true
  /** Seconds. */
  readonly refresh?: number
}

export const toDashboardSearch = (search: Search): DashboardSearch => ({
  date_from: textOf(search.date_from),
  date_to: textOf(search.date_to),
  kiosk: flagOf(search.kiosk),
  refresh: positiveOf(search.refresh),
})
