/** A longer label is unreadable in a picture and slow to measure. */
const MAX_LABEL = 120

/** Control characters, bidi controls, and characters that XML does not allow. */
const UNPRINTABLE =
  /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffc\ufffe\uffff]/gu

/** Upstream's markers, which clients know: for the values beyond the limit of a breakdown, and for no value. */
export const OTHER = '$$_posthog_breakdown_other_$$'
export const NONE = '$$_posthog_breakdown_null_$$'

const NAMED: ReadonlyMap<string, string> = new Map([
  [NONE, '(none)'],
  [OTHER, 'Other'],
])

/** Replaces what cannot be drawn by spaces. */
export const toPrintable = (text: string): string => text.toWellFormed().replace(UNPRINTABLE, ' ')

/** Converts any value from a user to one line of drawable text. */
export function toLabel(value: unknown): string {
  if (value === null || value === undefined) return '(none)'
  const text = typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value)
  const line = toPrintable(text.slice(0, MAX_LABEL * 4)).trim()
  const named = NAMED.get(line) ?? line
  if (named === '') return '(empty)'
  // ECharts stores series by name in plain objects, so a series named __proto__ would change all of them
  return named in Object.prototype ? `${named} ` : shorten(named, MAX_LABEL)
}

/** A text in which each character is a grapheme. */
const SIMPLE = /^[\x20-\x7e\xa1-\u02ff]*$/

let segmenter: Intl.Segmenter | undefined

/** Creates the segmenter at its first use, because it takes 20 ms and few texts need it. */
function toSegments(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en')
  return segmenter.segment(text)
}

/** Truncates a text to `maxLength` graphemes. Splits only the simplest texts itself, because tables have many cells. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  if (SIMPLE.test(text.slice(0, maxLength + 1))) return truncate(text, maxLength - 1)
  let count = 0
  let end = 0
  for (const { index } of toSegments(text)) {
    if (count === maxLength - 1) end = index
    count++
    if (count > maxLength) return truncate(text, end)
  }
  return text
}

const truncate = (text: string, end: number): string => `${text.slice(0, end).trimEnd()}…`

export const toGraphemes = (text: string): string[] =>
  Array.from(toSegments(text), ({ segment }) => segment)

/** Makes labels unique, because ECharts identifies series by name. */
export function toDistinct(labels: readonly string[]): string[] {
  const taken = new Set<string>()
  return labels.map((label) => {
    let name = label
    for (let times = 2; taken.has(name); times++) name = `${label} (${times})`
    taken.add(name)
    return name
  })
}

const SUFFIXES = ['', 'k', 'M', 'B', 'T'] as const

/** Formats a number with three significant digits: `950`, `1.2k`, `3.45M`. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const size = Math.abs(value)
  if (size >= 1e15) return value.toExponential(1)
  let step = 0
  // rounding may reach the next suffix: 999,950 is 1M
  while (step < SUFFIXES.length - 1 && size / 1000 ** step >= 999.5) step++
  const scaled = Number((value / 1000 ** step).toPrecision(3))
  return `${scaled === 0 ? 0 : scaled}${SUFFIXES[step]}`
}

interface DecimalPlaces {
  readonly min?: number
  readonly max?: number
}

/** Formats a number with all digits up to 10 million: `12,345.67`. Avoids `Intl`, whose first use takes 25 ms. */
export function fullNumber(value: number, { min = 0, max = 2 }: DecimalPlaces = {}): string {
  if (!(Math.abs(value) < 10_000_000)) return shortNumber(value)
  const places = Math.max(min, max)
  const scale = 10 ** places
  // rounds the decimal digits, not the binary value: 1.005 is 1.01
  const scaled = Math.round(Number((Math.abs(value) * scale).toPrecision(15)))
  const [whole = '', decimals = ''] = (scaled / scale).toFixed(places).split('.')
  const shown = decimals.replace(/0+$/, '').padEnd(min, '0')
  const sign = value < 0 && scaled > 0 ? '-' : ''
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${shown ? `.${shown}` : ''}`
}

export function percent(share: number): string {
  if (!Number.isFinite(share)) return '–'
  return `${Number((share * 100).toFixed(Math.abs(share) < 0.995 ? 1 : 0))}%`
}

const UNITS = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
] as const

/** Formats a duration: `45 s`, `3 min`, `1.5 d`. */
export function duration(seconds: number): string {
  const unit = UNITS.find(([length]) => seconds >= length)
  if (!unit) return `${Number(seconds.toPrecision(2))} s`
  return `${Number((seconds / unit[0]).toFixed(1))} ${unit[1]}`
}

const PARTS = [
  [86_400, 'd', 3600, 'h'],
  [3600, 'h', 60, 'min'],
  [60, 'min', 1, 's'],
] as const

/** Formats a duration in two units: `850 ms`, `45 s`, `2 min 12 s`, `1 h 4 min`, `3 d 2 h`. */
export function fullDuration(seconds: number): string {
  if (seconds < 1) return seconds === 0 ? '0 s' : `${Number((seconds * 1000).toPrecision(3))} ms`
  const whole = Math.round(seconds)
  const parts = PARTS.find(([length]) => whole >= length)
  if (!parts) return `${Number(seconds.toFixed(1))} s`
  const [length, name, part, partName] = parts
  const rounded = Math.round(whole / part) * part
  const rest = (rounded % length) / part
  return `${Math.floor(rounded / length)} ${name}${rest > 0 ? ` ${rest} ${partName}` : ''}`
}

export const MONTHS = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
]

/** Formats a day such as `2026-03-01 13:00:00` as briefly as its interval allows. */
export function shortDay(day: string, interval: unknown): string {
  const parts = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}:\d{2}))?/.exec(day)
  if (!parts) return toLabel(day)
  const [, year, month, date, time] = parts
  const name = MONTHS[Number(month) - 1] ?? month
  if (interval === 'month') return `${name} ${year}`
  if ((interval === 'hour' || interval === 'minute') && time)
    return `${Number(date)} ${name} ${time}`
  return `${Number(date)} ${name}`
}

export const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

/** Names an interval in full: `Tue 17 Nov`, `Tue 17 Nov 13:00`, `week of 16 Nov`, `Nov 2026`. */
export function dayWithWeekday(day: string, interval: unknown): string {
  const date = new Date(`${day.slice(0, 10)}T00:00:00Z`)
  if (interval === 'month' || Number.isNaN(date.getTime())) return shortDay(day, interval)
  const short = shortDay(day, interval)
  return interval === 'week' ? `week of ${short}` : `${WEEKDAYS[date.getUTCDay()]} ${short}`
}
