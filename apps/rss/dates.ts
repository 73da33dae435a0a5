import { toTimestamp } from '../shared/times.ts'

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/** The zones of RFC 822, in hours. Others have an offset. */
const ZONES: Readonly<Record<string, number>> = {
  ...{ z: 0, ut: 0, utc: 0, gmt: 0, bst: 1, cet: 1, cest: 2 },
  ...{ est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7 },
}

const TIME = String.raw`(?:[,\s]+(?:at\s+)?(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(am|pm)?\s*([a-z+][\w+:-]*|-[\d:]+)?)?`
/** `Tue, 5 Mar 24 10:00 EST`, also without what is optional. */
const DAY_FIRST = new RegExp(
  String.raw`^(?:[a-z]+\.?,?\s+)?(\d{1,2})[\s-]+([a-z]{3,9})\.?,?[\s-]+(\d{4}|\d\d)${TIME}$`,
  'i',
)
/** `March 5, 2024 10:00 AM`. */
const MONTH_FIRST = new RegExp(
  String.raw`^(?:[a-z]{3,9}day,?\s+)?([a-z]{3,9})\.?\s+(\d{1,2}),?\s+(\d{4})${TIME}$`,
  'i',
)
const YEAR_OR_MONTH = /^\d{4}(-\d\d)?$/

/** Returns ISO 8601 in UTC for a date in any of the forms that feeds have, or undefined. */
export function toFeedTime(value: string | number | undefined): string | undefined {
  const text = String(value ?? '').trim()
  if (text.length > 60) return undefined
  if (YEAR_OR_MONTH.test(text))
    return toTimestamp(text.length === 4 ? `${text}-01-01` : `${text}-01`)
  const dayFirst = DAY_FIRST.exec(text)
  if (dayFirst) return fromParts(dayFirst[1], dayFirst[2], dayFirst[3], dayFirst.slice(4))
  const monthFirst = MONTH_FIRST.exec(text)
  if (monthFirst) return fromParts(monthFirst[2], monthFirst[1], monthFirst[3], monthFirst.slice(4))
  return toTimestamp(text)
}

function fromParts(
  day = '',
  monthName = '',
  year = '',
  [hour = '0', minute = '00', second = '00', half, zone = 'gmt']: (string | undefined)[],
): string | undefined {
  const month = MONTHS.indexOf(monthName.slice(0, 3).toLowerCase()) + 1
  const offset = toOffset(zone.toLowerCase())
  if (month === 0 || offset === undefined) return undefined
  const date = `${toFullYear(year)}-${pad(month)}-${pad(day)}`
  return toTimestamp(`${date}T${pad(toHour(hour, half))}:${minute}:${second}${offset}`)
}

/** RFC 822 has years of two digits. */
const toFullYear = (year: string): string =>
  year.length === 4 ? year : String(Number(year) + (Number(year) < 70 ? 2000 : 1900))

function toHour(hour: string, half: string | undefined): number {
  if (half === undefined) return Number(hour)
  return (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
}

/** Accepts `est`, `+0100`, `+01:00` and `gmt+0100`. */
function toOffset(zone: string): string | undefined {
  const digits = /^(?:gmt|utc)?([+-]\d\d):?(\d\d)$/.exec(zone)
  if (digits) return `${digits[1]}:${digits[2]}`
  if (!Object.hasOwn(ZONES, zone)) return undefined
  const hours = ZONES[zone] ?? 0
  return `${hours < 0 ? '-' : '+'}${pad(Math.abs(hours))}:00`
}

const pad = (value: string | number): string => String(value).padStart(2, '0')
