import { flagOf, positiveOf, type Search, textOf } from '../../ui/search.ts'

export interface ListSearch {
  readonly search?: string
}

export const toListSearch = (search: Search): ListSearch => ({ search: textOf(search.search) })

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
