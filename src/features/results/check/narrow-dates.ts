import { fieldsOf } from '#model/json.ts'
import type { DateRange, Interval } from '#model/query-kinds/common.schema.ts'
import { findKind } from '#model/query-kinds/index.ts'
import { ALL, isHoursAgo, toBounds, toEnds } from '#server/analytics/queries/dates.ts'
import type { Calendar } from '#server/analytics/queries/parse-date.ts'
import type { ValidQuery } from '#server/analytics/queries/run-query.ts'
import { invalid } from '#server/errors.ts'

/** Days to which queries are narrowed, without time: both are included. */
export interface NarrowedDates {
  readonly date_from?: string | undefined
  readonly date_to?: string | undefined
  readonly calendar: Calendar
}

/** The problem of a query that has none of the days. One value, so that it can be told from others. */
export const OUTSIDE_DATES = invalid('date_from', 'Nothing to show on these dates.')

const ATTR = 'query__dateRange'
/** Relative to now, but a moment instead of a day. */
const NOW = '-0h'

/**
 * Tells whether a query can be narrowed. One without a start counts periods back from its end, so that an earlier end
 * would show earlier days.
 */
export const canNarrow = (query: ValidQuery): boolean =>
  !findKind(query.kind)?.listNotApplied?.(query)?.includes('date_from')

/** Cuts the date range of a query to the days. It never becomes longer. */
export function narrowDates(query: ValidQuery, dates: NarrowedDates): ValidQuery {
  if (!canNarrow(query)) return query
  if (!findKind(query.kind)?.textField) {
    const { dateRange, interval } = fieldsOf(query)
    const narrowed = narrow(dateRange as DateRange, dates, (interval ?? 'day') as Interval)
    return narrowed ? ({ ...query, dateRange: narrowed } as ValidQuery) : query
  }
  const filters = fieldsOf(fieldsOf(query).filters)
  const narrowed = narrow(filters.dateRange as DateRange | undefined, dates)
  return narrowed
    ? ({ ...query, filters: { ...filters, dateRange: narrowed } } as ValidQuery)
    : query
}

/** Returns the narrowed range, unless it is the same. Without an interval, the range is open where it has no date. */
function narrow(
  own: DateRange | null | undefined,
  { calendar, date_from, date_to }: NarrowedDates,
  interval?: Interval,
): DateRange | undefined {
  const startsAtFirst = own?.date_from === ALL
  const dated = startsAtFirst ? { ...own, date_from: null } : own
  const ends = interval ? toEnds(dated, interval, calendar, ATTR) : toBounds(dated, calendar, ATTR)
  const start = startsAtFirst ? undefined : ends.from
  const chosen = toBounds({ date_from, date_to }, calendar, ATTR)
  const from = chosen.from && (!start || isEarlier(start, chosen.from)) ? chosen.from : undefined
  const to = chosen.to && (!ends.to || isEarlier(chosen.to, ends.to)) ? chosen.to : undefined
  const [first, last] = [from ?? start, to ?? ends.to]
  if (first && last && !isEarlier(first, last)) throw OUTSIDE_DATES
  if (!from && !to) return undefined
  const endsNow = !own?.date_to && isHoursAgo(own?.date_from ?? '')
  return {
    ...own,
    ...(from && { date_from: from.toInstant().toString() }),
    ...(endsNow && { date_to: NOW }),
    // the end of a range is included
    ...(to && { date_to: to.subtract({ seconds: 1 }).toInstant().toString() }),
  }
}

const isEarlier = (one: Temporal.ZonedDateTime, other: Temporal.ZonedDateTime): boolean =>
  Temporal.ZonedDateTime.compare(one, other) < 0
