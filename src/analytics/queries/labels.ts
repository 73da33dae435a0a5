import type { EventsNode, Interval } from '#model/query-kinds/common.schema.ts'
import { isActionsNode } from '#model/query-kinds/events.ts'
import type { SeriesAction } from '#model/query-results.ts'
import { mapInTurns } from '#server/turns.ts'

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

const isShort = (interval: Interval): boolean => interval === 'hour' || interval === 'minute'

/** Formats an interval for programs: `2026-03-01`, or `2026-03-01 13:00:00`. */
export const toDay = (bucket: Temporal.ZonedDateTime, interval: Interval): string =>
  toMoment(toMinute(bucket), interval)

/** The names of a period's intervals, which all of its lines share. */
export interface Axis {
  readonly labels: readonly string[]
  readonly days: readonly string[]
}

export async function toAxis(
  buckets: readonly Temporal.ZonedDateTime[],
  interval: Interval,
): Promise<Axis> {
  const minutes = await mapInTurns(buckets, toMinute)
  return {
    labels: minutes.map((minute) => toLabel(minute, interval)),
    days: minutes.map((minute) => toMoment(minute, interval)),
  }
}

/** Formats local time: `2026-03-01T13:00`. One text for all parts takes a third of the time of reading each of them. */
const toMinute = (bucket: Temporal.ZonedDateTime): string =>
  bucket.toString({ smallestUnit: 'minute', offset: 'never', timeZoneName: 'never' })

/** Formats an interval for display: `1-Mar-2026`, or `1-Mar-2026 13:00`. */
function toLabel(minute: string, interval: Interval): string {
  const month = MONTHS[Number(minute.slice(5, 7)) - 1]
  const date = `${Number(minute.slice(8, 10))}-${month}-${Number(minute.slice(0, 4))}`
  return isShort(interval) ? `${date} ${minute.slice(11)}` : date
}

const toMoment = (minute: string, interval: Interval): string =>
  isShort(interval) ? `${minute.replace('T', ' ')}:00` : minute.slice(0, 10)

export const toEventName = ({ name, event }: EventsNode): string => name || event || 'All events'

/** Returns what a series counts: the name of an event, or the ID of an action. */
export const toCountedId = (node: EventsNode): string | number | null =>
  isActionsNode(node) ? (node.id ?? null) : node.event || null

export const toCountedType = (node: EventsNode): SeriesAction['type'] =>
  isActionsNode(node) ? 'actions' : 'events'

export const toSeriesTitle = (node: EventsNode): string => node.custom_name || toEventName(node)

export const toAction = (node: EventsNode, order: number): SeriesAction => ({
  id: toCountedId(node),
  name: toEventName(node),
  custom_name: node.custom_name ?? null,
  order,
  math: node.math ?? 'total',
  type: toCountedType(node),
})
