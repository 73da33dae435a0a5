import { invalid } from '#server/errors.ts'

/** The current time, the project's time zone, and the first day of its weeks: 0 is Sunday. */
export interface Calendar {
  readonly zone: string
  readonly now: Temporal.Instant
  readonly weekStart: 0 | 1
  /** The start of `all`, set only for queries that need it. */
  readonly firstEvent?: Temporal.Instant | undefined
}

const RELATIVE = /^([+-]?)(\d{1,5})([a-zA-Z])(Start|End)?$/
const UNITS: Readonly<Record<string, string>> = {
  s: 'second',
  M: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  m: 'month',
  q: 'month',
  y: 'year',
}

/** Tells whether both databases can compare events with a date in any time zone. */
export const isComparable = ({ year }: Temporal.ZonedDateTime): boolean => year > 1 && year < 9999

/** Parses `-7d`, `-1mStart`, `mStart`, `yEnd`, `2026-03-01` and `2026-03-01T12:00:00Z`. */
export function parseDate(text: string, calendar: Calendar, attr: string): ParsedDate {
  const moment = read(text, calendar, attr)
  if (!isComparable(moment.at)) throw invalid(attr, 'The date is too far away.')
  return moment
}

function read(text: string, calendar: Calendar, attr: string): ParsedDate {
  const now = calendar.now.toZonedDateTimeISO(calendar.zone)
  const edge = /^([dwmqyh])(Start|End)$/.exec(text)
  if (edge) return atEdge(now, edge[1] as string, edge[2] as string, calendar)
  const relative = RELATIVE.exec(text)
  if (relative) {
    const [, sign, count, unitName, side] = relative
    const unit = UNITS[unitName as string]
    if (unit) {
      const times = (unitName === 'q' ? 3 : 1) * Number(count) * (sign === '+' ? 1 : -1)
      const moment = shift(now, `${unit}s`, times, attr)
      if (side) return atEdge(moment, unitName as string, side, calendar)
      return { at: moment, wholeDay: unit !== 'hour' && unit !== 'minute' && unit !== 'second' }
    }
  }
  return toAbsolute(text, calendar.zone, attr)
}

export interface ParsedDate {
  readonly at: Temporal.ZonedDateTime
  /** Whether the text means a whole day, not a moment of it. */
  readonly wholeDay: boolean
}

function shift(
  from: Temporal.ZonedDateTime,
  units: string,
  times: number,
  attr: string,
): Temporal.ZonedDateTime {
  try {
    return from.add({ [units]: times })
  } catch {
    throw invalid(attr, 'The date is too far away.')
  }
}

function atEdge(
  moment: Temporal.ZonedDateTime,
  unitName: string,
  side: string,
  calendar: Calendar,
): ParsedDate {
  const start = startOf(moment, unitName, calendar)
  if (side === 'Start') return { at: start, wholeDay: false }
  const units = unitName === 'q' ? { months: 3 } : { [`${UNITS[unitName]}s`]: 1 }
  // computed for the next one, because days begin at 1:00 where clocks go forward at midnight
  const next = startOf(start.add(units), unitName, calendar)
  return { at: next.subtract({ seconds: 1 }), wholeDay: false }
}

export function startOf(moment: Temporal.ZonedDateTime, unitName: string, { weekStart }: Calendar) {
  const day = moment.startOfDay()
  if (unitName === 'h') return moment.round({ smallestUnit: 'hour', roundingMode: 'floor' })
  if (unitName === 'd') return day
  if (unitName === 'w') {
    return day.subtract({ days: (day.dayOfWeek - weekStart + 7) % 7 }).startOfDay()
  }
  if (unitName === 'm') return day.with({ day: 1 }).startOfDay()
  if (unitName === 'q') {
    return day.with({ day: 1, month: day.month - ((day.month - 1) % 3) }).startOfDay()
  }
  return day.with({ day: 1, month: 1 }).startOfDay()
}

function toAbsolute(text: string, zone: string, attr: string): ParsedDate {
  try {
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
      return { at: Temporal.PlainDate.from(text).toZonedDateTime(zone), wholeDay: true }
    }
    if (/(Z|[+-]\d{2}:?\d{2})$/.test(text)) {
      return { at: Temporal.Instant.from(text).toZonedDateTimeISO(zone), wholeDay: false }
    }
    return { at: Temporal.PlainDateTime.from(text).toZonedDateTime(zone), wholeDay: false }
  } catch {
    throw invalid(
      attr,
      `"${text.slice(0, 40)}" is not a date. Write one as 2026-03-01, as -7d, or as mStart.`,
    )
  }
}
