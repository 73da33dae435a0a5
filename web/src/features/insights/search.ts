import { positiveOf, type Search, textOf } from '../../ui/search.ts'

export interface InsightListSearch {
  readonly search?: string
}

export const toInsightListSearch = (search: Search): InsightListSearch => ({
  search: textOf(search.search),
})

export interface EditorSearch {
  /** Which dashboard a new insight goes to. */
  readonly dashboard?: number
}

export const toEditorSearch = (search: Search): EditorSearch => ({
  dashboard: positiveOf(search.dashboard),
})
