import { positiveOf, type Search, wordOf } from '../../ui/search-params.ts'

export interface EventsSearch {
  readonly event?: string
  readonly distinct_id?: string
  /** Limits events to the last hours. */
  readonly hours?: number
}

export const toEventsSearch = (search: Search): EventsSearch => ({
  event: wordOf(search.event),
  distinct_id: wordOf(search.distinct_id),
  hours: positiveOf(search.hours),
})
