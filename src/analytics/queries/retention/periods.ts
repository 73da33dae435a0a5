import type { DateRange } from '#model/query-kinds/common.schema.ts'
import type { Period } from '#model/query-kinds/retention.schema.ts'
import { type Range, toLastIntervals, toStart } from '../dates.ts'
import { type Calendar, parseDate } from '../parse-date.ts'

const INTERVALS = { Hour: 'hour', Day: 'day', Week: 'week', Month: 'month' } as const

/**
 * So many periods, the last of which holds the end of the range. Its beginning is only checked: templates ask for
 * eleven weeks of the last seven days, and mean eleven weeks.
 */
export function resolvePeriods(
  period: Period,
  count: number,
  dateRange: DateRange | null | undefined,
  calendar: Calendar,
  attr: string,
): Range {
  if (dateRange?.date_from) toStart(dateRange.date_from, calendar, `${attr}__date_from`)
  const end = toEnd(dateRange?.date_to, calendar, `${attr}__date_to`)
  return toLastIntervals(count, end, INTERVALS[period], calendar)
}

function toEnd(dateTo: string | null | undefined, calendar: Calendar, attr: string) {
  if (!dateTo) return calendar.now.toZonedDateTimeISO(calendar.zone)
  const { at, wholeDay } = parseDate(dateTo, calendar, attr)
  if (!wholeDay) return at
  return at.toPlainDate().add({ days: 1 }).toZonedDateTime(at.timeZoneId).subtract({ seconds: 1 })
}
