import type { EventsNode, Interval } from '#model/query-kinds/common.schema.ts'
import type { SeriesAction } from '#model/query-results.ts'

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

const isShort = (interval: Interval): boolean => interval === 'hour' || interval === 'minute'

/** Formats an interval for display: `1-Mar-2026`, or `1-Mar-2026 13:00`. */
export function toBucketLabel(bucket: Temporal.ZonedDateTime, interval: Interval): string {
  const date = `${bucket.day}-${MONTHS[bucket.month - 1]}-${bucket.year}`
  return isShort(interval) ? `${date} ${clockOf(bucket)}` : date
}

/** Formats an interval for programs: `2026-03-01`, or `2026-03-01 13:00:00`. */
export function toDay(bucket: Temporal.ZonedDateTime, interval: Interval): string {
  const date = bucket.toPlainDate().toString()
  return isShort(interval) ? `${date} ${clockOf(bucket)}:00` : date
}

const clockOf = (bucket: Temporal.ZonedDateTime): string =>
  bucket.toPlainTime().toString({ smallestUnit: 'minute' })

export const toEventName = ({ name, event }: EventsNode): string => name || event || 'All events'

export const toSeriesTitle = (node: EventsNode): string => node.custom_name || toEventName(node)

export const toAction = (node: EventsNode, order: number): SeriesAction => ({
  id: node.event || null,
  name: toEventName(node),
  custom_name: node.custom_name ?? null,
  order,
  math: node.math ?? 'total',
  type: 'events',
})
