import {
  type ListSearch,
  parseListSearch,
  parsePositive,
  parseText,
  type SearchParams,
} from '../../ui/list/search-params.ts'

export const INSIGHT_VIEWS = ['favorites', 'mine', 'trash'] as const
export type InsightView = (typeof INSIGHT_VIEWS)[number]

export const INSIGHT_SORTS = ['-created_at', 'created_at', 'name', '-name'] as const
export type InsightSort = (typeof INSIGHT_SORTS)[number]

/** Query parameters of the list. Default order: last modified first. */
export type InsightListSearch = ListSearch<InsightView, InsightSort>

export const toInsightListSearch = (search: SearchParams): InsightListSearch =>
  parseListSearch(INSIGHT_VIEWS, INSIGHT_SORTS, search)

export interface EditorSearch {
  /** Dashboard that a new insight is added to. */
  readonly dashboard?: number
  /** Encoded query that replaces the saved one; see editor/address/address.ts. */
  readonly q?: string
}

export const toEditorSearch = (search: SearchParams): EditorSearch => ({
  dashboard: parsePositive(search.dashboard),
  q: parseText(search.q),
})
