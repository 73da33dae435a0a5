const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|z|UTC|[+-]\d\d(?::?\d\d)?)?)?$/
/** `Tue, 05 Mar 2024 10:00:00 GMT`, as in mail and HTTP. */
const RFC_2822 =
  /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d(?::\d\d)? (?:GMT|UT|[+-]\d{4})$/
const NUMBER = /^\d{9,19}(?:\.\d+)?$/

/** Describes a value that `toTimestamp` refuses. */
export function describeBadDate(value: unknown, field: string): string {
  if (value === undefined || value === null || value === '') return `no date in "${field}".`
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `"${text.slice(0, 100)}" in "${field}" is not a date.`
}

/** Returns ISO 8601 in UTC, or undefined for anything that is not clearly a date. */
export function toTimestamp(value: unknown): string | undefined {
  if (typeof value === 'number') return fromEpoch(value)
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  const iso = ISO.exec(text)
  if (iso) return fromParts(iso)
  if (NUMBER.test(text)) return fromEpoch(Number(text))
  return RFC_2822.test(text) ? toIso(Date.parse(text)) : undefined
}

function fromParts([, year, month, day, hour, minute, second, fraction, zone]: RegExpExecArray) {
  const at = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
    Number((fraction ?? '').padEnd(3, '0').slice(0, 3)),
  )
  // Date carries over the 31st of a short month and hour 25, and takes year 1 for 1901
  const isReal =
    new Date(at).getUTCDate() === Number(day) && Number(month) <= 12 && Number(year) > 99
  if (!isReal || Number(minute ?? 0) > 59 || Number(second ?? 0) > 60) return undefined
  return toIso(at - toOffset(zone))
}

function toOffset(zone: string | undefined): number {
  if (!zone || !/^[+-]/.test(zone)) return 0
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}

/** Detects seconds, milliseconds, microseconds or nanoseconds by the size of the number. */
function fromEpoch(value: number): string | undefined {
  if (!Number.isFinite(value) || value < 0) return undefined
  if (value < 1e11) return toIso(value * 1e3)
  if (value < 1e14) return toIso(value)
  return toIso(value < 1e17 ? value / 1e3 : value / 1e6)
}

/** Accepts only years of four digits, since others sort wrongly as text. */
function toIso(milliseconds: number): string | undefined {
  const at = new Date(Math.floor(milliseconds))
  if (Number.isNaN(at.getTime())) return undefined
  const text = at.toISOString()
  return text.length === 24 ? text : undefined
}
