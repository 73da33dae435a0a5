import { positiveOf, type Search, textOf } from '../../ui/search.ts'

export interface ActivitySearch {
  readonly scope?: string
  readonly item_id?: string
  readonly user?: string
  readonly search?: string
  /** Only of so many days up to now. */
  readonly days?: number
}

export const toActivitySearch = (search: Search): ActivitySearch => ({
  scope: textOf(search.scope),
  item_id: textOf(asText(search.item_id)),
  user: textOf(asText(search.user)),
  search: textOf(asText(search.search)),
  days: positiveOf(search.days),
})

/** The router reads `?user=3` as a number. */
const asText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value)
