import { positiveOf, type Search, textOf } from '../../ui/search.ts'

export interface EventsSearch {
  readonly event?: string
  readonly distinct_id?: string
  /** Only of so many hours up to now. */
  readonly hours?: number
}

export const toEventsSearch = (search: Search): EventsSearch => ({
  event: textOf(asText(search.event)),
  distinct_id: textOf(asText(search.distinct_id)),
  hours: positiveOf(search.hours),
})

/** The router reads `?distinct_id=3` as a number. */
const asText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value)
