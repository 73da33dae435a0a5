import {
  parseOneOf,
  parsePositive,
  parseText,
  parseTexts,
  type SearchParams,
} from '../../ui/search-params.ts'

export const INSIGHT_VIEWS = ['favorites', 'mine', 'trash'] as const
export type InsightView = (typeof INSIGHT_VIEWS)[number]

export const INSIGHT_SORTS = ['-created_at', 'created_at', 'name', '-name'] as const
export type InsightSort = (typeof INSIGHT_SORTS)[number]

export interface InsightListSearch {
  readonly search?: string
  readonly tags?: readonly string[]
  /** All that are not in the trash, if not said. */
  readonly view?: InsightView
  /** The last modified first, if not said. */
  readonly sort?: InsightSort
}

export const toInsightListSearch = (search: SearchParams): InsightListSearch => ({
  search: parseText(search.search),
  tags: parseTexts(search.tags),
  view: parseOneOf(INSIGHT_VIEWS, search.view),
  sort: parseOneOf(INSIGHT_SORTS, search.sort),
})

export interface EditorSearch {
  /** Which dashboard a new insight goes to. */
  readonly dashboard?: number
  /** What is asked, if it is not what is saved: see editor/address.ts. */
  readonly q?: string
}

export const toEditorSearch = (search: SearchParams): EditorSearch => ({
  dashboard: parsePositive(search.dashboard),
  q: parseText(search.q),
})
