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

/** Converts any value from a user to one line of drawable text. */
export function toLabel(value: unknown): string {
  if (value === null || value === undefined) return '(none)'
  const text = typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value)
  const line = text
    .slice(0, MAX_LABEL * 4)
    .toWellFormed()
    .replace(UNPRINTABLE, ' ')
    .trim()
  const named = NAMED.get(line) ?? line
  if (named === '') return '(empty)'
  // ECharts stores series by name in plain objects, so a series named __proto__ would change all of them
  return named in Object.prototype ? `${named} ` : shorten(named, MAX_LABEL)
}

/** A text in which each character is a grapheme. */
const SIMPLE = /^[\x20-\x7e\xa1-\u02ff]*$/

const GRAPHEMES = new Intl.Segmenter('en')

/** Truncates a text to `maxLength` graphemes. Splits only the simplest texts itself, because tables have many cells. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  if (SIMPLE.test(text.slice(0, maxLength + 1))) return truncate(text, maxLength - 1)
  let count = 0
  let end = 0
  for (const { index } of GRAPHEMES.segment(text)) {
    if (count === maxLength - 1) end = index
    count++
    if (count > maxLength) return truncate(text, end)
  }
  return text
}

const truncate = (text: string, end: number): string => `${text.slice(0, end).trimEnd()}…`

export const toGraphemes = (text: string): string[] =>
  Array.from(GRAPHEMES.segment(text), ({ segment }) => segment)

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

/** Formats a number with all digits up to 10 million: `12,345.67`. Avoids `Intl`, whose first use takes 25 ms. */
export function fullNumber(value: number): string {
  if (!(Math.abs(value) < 10_000_000)) return shortNumber(value)
  // rounds the decimal digits, not the binary value: 1.005 is 1.01
  const hundredths = Math.round(Number((Math.abs(value) * 100).toPrecision(15)))
  const [whole = '', rest] = String(hundredths / 100).split('.')
  const sign = value < 0 && hundredths > 0 ? '-' : ''
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${rest ? `.${rest}` : ''}`
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

/** Formats a cell of a table; an empty one stays empty. */
export const formatCell = (value: unknown): string =>
  typeof value === 'number' ? fullNumber(value) : value === null ? '' : toLabel(value)

/** Compares a value with the previous one: `+100% vs 439 previously`. */
export function formatChange(now: number, before: number): string {
  if (before === 0 || now === before) return `${fullNumber(before)} previously`
  const change = (now - before) / Math.abs(before)
  return `${change > 0 ? '+' : '−'}${percent(Math.abs(change))} vs ${fullNumber(before)} previously`
}
