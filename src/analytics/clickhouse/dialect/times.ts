import { writeOnce } from './once.ts'
import { untranslatable } from './tree.ts'
import type { Piece, Type } from './types.ts'

const DAY = 86_400_000
/** The Gregorian calendar repeats after 400 years, as many as ClickHouse's DateTime64 has. */
const CYCLE = 146_097 * DAY
const FIRST = -2_208_988_800_000 // 1900-01-01

/** Moves a time by whole cycles into the years 1900 to 2299. */
const inRange = (time: string): string =>
  `(positiveModulo(${time} - (${FIRST}), toInt64(${CYCLE})) + (${FIRST}))`

/** Returns what `inRange` has subtracted. */
const shift = (time: string): string => `(${time} - ${inRange(time)})`

const toDateTime = (time: string): string =>
  `fromUnixTimestamp64Milli(toInt64(${inRange(time)}), 'UTC')`

const year = (time: string): string =>
  `(toYear(${toDateTime(time)}) + intDiv(${shift(time)}, toInt64(${CYCLE})) * 400)`

const floorTo = (unit: number, time: string, offset = 0): string =>
  `(${time} - positiveModulo(${time} + ${offset}, toInt64(${unit})))`

const firstOf = (month: string, time: string): string =>
  `(toInt64(toInt32(makeDate32(toYear(${toDateTime(time)}), ${month}, 1))) * ${DAY} + ${shift(time)})`

const TRUNCATIONS: Readonly<Record<string, (time: string) => string>> = {
  second: (time) => floorTo(1000, time),
  minute: (time) => floorTo(60_000, time),
  hour: (time) => floorTo(3_600_000, time),
  day: (time) => floorTo(DAY, time),
  week: (time) => floorTo(7 * DAY, time, 3 * DAY), // 1970 began on a Thursday, and weeks begin on Monday
  month: (time) => firstOf(`toMonth(${toDateTime(time)})`, time),
  quarter: (time) => firstOf(`(toQuarter(${toDateTime(time)}) * 3 - 2)`, time),
  year: (time) => firstOf('1', time),
}

const PARTS: Readonly<Record<string, (time: string) => string>> = {
  epoch: (time) => `(${time} / 1000)`,
  year,
  quarter: (time) => `toQuarter(${toDateTime(time)})`,
  month: (time) => `toMonth(${toDateTime(time)})`,
  week: (time) => `toISOWeek(${toDateTime(time)})`,
  day: (time) => `toDayOfMonth(${toDateTime(time)})`,
  doy: (time) => `toDayOfYear(${toDateTime(time)})`,
  isodow: (time) => `toDayOfWeek(${toDateTime(time)})`,
  dow: (time) => `(toDayOfWeek(${toDateTime(time)}) % 7)`,
  hour: (time) => `toHour(${toDateTime(time)})`,
  minute: (time) => `toMinute(${toDateTime(time)})`,
  second: (time) => `toSecond(${toDateTime(time)})`,
}

export function truncateTime(unit: string, { text, type }: Piece): Piece {
  const truncate = TRUNCATIONS[unit]
  if (!truncate || (type !== 'local' && type !== 'time'))
    throw untranslatable(`Truncating a ${type} to ${unit}`)
  return { text: writeOnce(text, truncate), type }
}

export function extractPart(part: string, value: Piece): Piece {
  const extract = PARTS[part]
  if (!extract) throw untranslatable(`Extracting ${part}`)
  const { text } = castTime(value, 'local')
  const extracted = writeOnce(text, extract)
  return part === 'epoch'
    ? { text: extracted, type: 'float' }
    : { text: `toInt64(${extracted})`, type: 'integer' }
}

/** The texts of two numbers. */
interface Interval {
  readonly months: string
  readonly milliseconds: string
}

/** Adds an interval in months and milliseconds to a local time; a day that the month does not have becomes its last. */
export function addInterval(
  { text, type }: Piece,
  sign: '+' | '-',
  { months, milliseconds }: Interval,
): Piece {
  if (type !== 'local' && type !== 'time') throw untranslatable(`An interval added to a ${type}`)
  const added = writeOnce(
    text,
    (time) => `if(${months} = 0, ${time}, ${addMonths(time, `${sign} ${months}`)})`,
  )
  return { text: `(${added} ${sign} ${milliseconds})`, type }
}

/** Counts months from 1900, which repeat after 400 years, as days do. */
function addMonths(time: string, signedMonths: string): string {
  const date = toDateTime(time)
  const month = `(toYear(${date}) * 12 + toMonth(${date}) - 1 ${signedMonths} - 22800)`
  return writeOnce(month, (moved) => {
    const first = `makeDate32(intDiv(positiveModulo(${moved}, 4800), 12) + 1900, positiveModulo(${moved}, 12) + 1, 1)`
    const day = `least(toDayOfMonth(${date}), toDayOfMonth(toLastDayOfMonth(${first})))`
    const cycles = `intDiv(${moved} - positiveModulo(${moved}, 4800), 4800)`
    const days = `(toInt64(toInt32(${first})) + ${day} - 1)`
    return `(${days} * ${DAY} + ${cycles} * toInt64(${CYCLE}) + ${shift(time)} + positiveModulo(${time}, toInt64(${DAY})))`
  })
}

/** Writes the milliseconds by which a zone is ahead of UTC at a moment. */
const offset = (time: string, zone: string): string =>
  `(toInt64(timeZoneOffset(fromUnixTimestamp64Milli(toInt64(least(greatest(${time}, toInt64(${FIRST})), toInt64(${FIRST + CYCLE - 1}))), ${zone}))) * 1000)`

/** Converts a time to a local one in a zone, and a local one to a time. */
export function changeZone(zone: string, { text, type }: Piece): Piece {
  if (type === 'time') {
    return { text: writeOnce(text, (time) => `(${time} + ${offset(time, zone)})`), type: 'local' }
  }
  if (type !== 'local') throw untranslatable(`The zone of a ${type}`)
  const toTime = (local: string) =>
    `(${local} - ${offset(`(${local} - ${offset(local, zone)})`, zone)})`
  return { text: writeOnce(text, toTime), type: 'time' }
}

/** Converts between times, local times and dates. */
export function castTime(value: Piece, type: Type): Piece {
  const { text } = value
  if (value.type === type) return value
  if (value.type === 'date' && type !== 'date') return { text: `(${text} * ${DAY})`, type }
  if (type === 'date' && value.type === 'local') {
    return { text: writeOnce(text, (time) => `intDiv(${floorTo(DAY, time)}, ${DAY})`), type }
  }
  if (value.type === 'time' && type === 'local') return { text, type } // in UTC
  throw untranslatable(`A cast of ${value.type} to ${type}`)
}

/** Writes a time as PostgreSQL does: 2026-01-31 13:45:00.5. */
export function timeToText(value: Piece): Piece {
  const format = value.type === 'date' ? '-%m-%d' : '-%m-%d %H:%i:%S'
  const toText = (time: string) => {
    const parts = [
      `leftPad(toString(${year(time)}), 4, '0')`,
      `formatDateTime(${toDateTime(time)}, '${format}')`,
      ...(value.type === 'date' ? [] : [fraction(time)]),
    ]
    return `concat(${parts.join(', ')})`
  }
  return { text: writeOnce(castTime(value, 'local').text, toText), type: 'text' }
}

const fraction = (time: string): string =>
  writeOnce(
    `positiveModulo(${time}, 1000)`,
    (thousandths) =>
      `if(${thousandths} = 0, '', concat('.', trim(TRAILING '0' FROM leftPad(toString(${thousandths}), 3, '0'))))`,
  )
