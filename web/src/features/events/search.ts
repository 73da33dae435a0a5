import { parsePositive, parseTextOrNumber, type SearchParams } from '../../ui/list/search-params.ts'

export interface EventsSearch {
  readonly event?: string
  readonly distinct_id?: string
  /** Limits events to the last hours. */
  readonly hours?: number
}

export const toEventsSearch = (search: SearchParams): EventsSearch => ({
  event: parseTextOrNumber(search.event),
  distinct_id: parseTextOrNumber(search.distinct_id),
  hours: parsePositive(search.hours),
})
