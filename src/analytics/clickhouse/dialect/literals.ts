import { sanitizeText } from '#server/db/sanitize.ts'
import { untranslatable } from './tree.ts'

export type Value = string | number | boolean | null

/** The way to write a value: as what it is, as the number of a time or date, or as a part of an interval. */
export type Form =
  | 'value'
  | 'text'
  | 'integer'
  | 'float'
  | 'boolean'
  | 'time'
  | 'local'
  | 'date'
  | 'months'
  | 'milliseconds'

/** Marks the place of a parameter in a text. No other part contains this character. */
const MARK = '\0'

export const toMark = (parameter: string, form: Form): string =>
  `${MARK}${parameter}:${form}${MARK}`

/** Writes values in the places that `toMark` has marked. */
export const fillMarks = (text: string, values: readonly unknown[]): string =>
  text
    .split(MARK)
    .map((part, index) => {
      if (index % 2 === 0) return part
      const [parameter, form] = part.split(':') as [string, Form]
      return toLiteral(values[Number(parameter) - 1] as Value, form)
    })
    .join('')

export function toLiteral(value: Value, form: Form = 'value'): string {
  if (value === null) return 'NULL'
  switch (form) {
    case 'time':
    case 'local':
      return toNumber(toMilliseconds(String(value)))
    case 'date':
      return toNumber(Date.parse(`${String(value)}T00:00:00Z`) / DAY_MS)
    case 'months':
    case 'milliseconds':
      return toNumber(toInterval(String(value))[form])
    case 'text':
      return toText(String(value))
    case 'integer':
      return toNumber(Number(value))
    case 'float':
      return toFloat(Number(value))
    case 'boolean':
      return value === true || value === 't' || value === 'true' ? 'true' : 'false'
    case 'value':
      if (typeof value === 'string') return toText(value)
      return typeof value === 'number' ? toNumber(value) : String(value)
  }
}

const toText = (text: string): string =>
  `'${sanitizeText(text).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** ClickHouse takes a large integer for unsigned, which has no common type with others. */
const toNumber = (value: number): string => {
  if (!Number.isInteger(value) || Math.abs(value) >= 2 ** 63) return toFloat(value)
  return value === (value | 0) ? String(value) : `toInt64(${BigInt(value)})`
}

const toFloat = (value: number): string => `toFloat64(${toText(String(value))})`

const DAY_MS = 86_400_000

/** Reads `2026-01-31 13:45:00.123+02:00`; without a zone, it is local. */
function toMilliseconds(text: string): number {
  const [, date = '', time = '00:00', zone = 'Z'] =
    /^(\d{4,}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/.exec(
      text,
    ) ?? []
  const offset =
    zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.replace(':', '').slice(3) || '00'}`
  const milliseconds = Date.parse(`${date}T${time}${offset}`)
  if (Number.isNaN(milliseconds)) throw untranslatable(`The time ${text}`)
  return milliseconds
}

const UNITS: Readonly<Record<string, { months?: number; milliseconds?: number }>> = {
  second: { milliseconds: 1000 },
  minute: { milliseconds: 60_000 },
  hour: { milliseconds: 3_600_000 },
  day: { milliseconds: DAY_MS },
  week: { milliseconds: 7 * DAY_MS },
  month: { months: 1 },
  year: { months: 12 },
}

/** Reads `0 months 7 days 3 seconds`. A day has 24 hours, because intervals are added to local times. */
function toInterval(text: string): { months: number; milliseconds: number } {
  const interval = { months: 0, milliseconds: 0 }
  for (const [, count, unit = ''] of text.matchAll(/(-?\d+) ([a-z]+?)s?(?= |$)/g)) {
    const length = UNITS[unit]
    if (!length) throw untranslatable(`The interval ${text}`)
    interval.months += Number(count) * (length.months ?? 0)
    interval.milliseconds += Number(count) * (length.milliseconds ?? 0)
  }
  return interval
}
