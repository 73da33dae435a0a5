/** Beyond this nothing is readable in a picture, and measuring takes long. */
const MAX_LABEL = 120

/** Controls, what turns the direction of writing around, and what XML cannot hold. */
const UNPRINTABLE =
  /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffc\ufffe\uffff]/gu

/** Upstream's names for values that are absent or past the limit. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['$$_posthog_breakdown_null_$$', '(none)'],
  ['$$_posthog_breakdown_other_$$', 'Other'],
])

/** Any text of a user's, as one line that can be drawn. */
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
  // ECharts keeps what it draws by name in plain objects: a series called __proto__ would change them all
  return named in Object.prototype ? `${named} ` : shorten(named, MAX_LABEL)
}

/** Shortens a text to `most` characters, as people count them. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const marks = [...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment)
  return marks.length <= most
    ? text
    : `${marks
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}

/** ECharts takes two things of one name for one thing. */
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

/** `950`, `1.2k`, `3.45M`: three digits that count. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const size = Math.abs(value)
  if (size >= 1e15) return value.toExponential(1)
  let step = 0
  // the rounding may reach the next suffix: 999,950 is 1M
  while (step < SUFFIXES.length - 1 && size / 1000 ** step >= 999.5) step++
  const scaled = Number((value / 1000 ** step).toPrecision(3))
  return `${scaled === 0 ? 0 : scaled}${SUFFIXES[step]}`
}

/** Every digit while a person can still read them: `12,345.67`. Not by `Intl`: its first use takes 25 ms of a page. */
export function fullNumber(value: number): string {
  if (!(Math.abs(value) < 10_000_000)) return shortNumber(value)
  // as somebody would round the digits they see: 1.005 is 1.01, whatever its bits say
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

/** `45 s`, `3 min`, `1.5 d`. */
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

/** `2026-03-01 13:00:00` as short as its interval allows. */
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

/** Compares a value with the one before: `+100% vs 439 previously`. */
export function formatChange(now: number, before: number): string {
  if (before === 0 || now === before) return `${fullNumber(before)} previously`
  const change = (now - before) / Math.abs(before)
  return `${change > 0 ? '+' : '−'}${percent(Math.abs(change))} vs ${fullNumber(before)} previously`
}
