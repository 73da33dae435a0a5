import { type Search, textOf } from '../../ui/search.ts'

export interface EventsSearch {
  readonly event?: string
  readonly distinct_id?: string
}

export const toEventsSearch = (search: Search): EventsSearch => ({
  event: textOf(search.event),
  distinct_id: textOf(search.distinct_id),
})
