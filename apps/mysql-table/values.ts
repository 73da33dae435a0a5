import { type TableColumn, toNumber } from '../table/table.ts'

/** Escapes backticks, so that no name can end them. */
export const quoteName = (name: string): string => `\`${name.replaceAll('`', '``')}\``

/** Bytes and shapes cannot be a property. */
const BYTES = /^(tiny|medium|long)?blob$|^(var)?binary$|^geom|^(multi)?(point|linestring|polygon)$/

/**
 * Returns the SQL that reads a column as text. Returns undefined for bytes. Times are UTC, because the session is, and
 * keep their microseconds.
 */
export function toExpression(row: string, { name, base }: TableColumn): string | undefined {
  const column = `${row}.${quoteName(name)}`
  if (BYTES.test(base)) return undefined
  if (base === 'timestamp' || base === 'datetime') {
    return `date_format(${column}, '%Y-%m-%dT%H:%i:%s.%fZ')`
  }
  return base === 'bit' ? `cast(${column} + 0 as char)` : `cast(${column} as char)`
}

/** Converts text to a property's value. Returns undefined for null. */
export function toValue(text: unknown, { category }: TableColumn): unknown {
  if (text === null || text === undefined) return undefined
  const value = String(text)
  if (category === 'J') return JSON.parse(value)
  return category === 'N' ? toNumber(value) : value
}

/** Casts a cursor's text to the type of its column, without which integers would be compared as floating point. */
export function toCursorCast({ name, type, base }: TableColumn): string {
  if (/^(tiny|small|medium|big)?int$|^year$/.test(base)) {
    return type.includes('unsigned') ? 'cast(? as unsigned)' : 'cast(? as signed)'
  }
  if (base === 'decimal') return `cast(? as ${type.replace(/ .*$/, '')})`
  if (base === 'timestamp' || base === 'datetime') return 'cast(? as datetime(6))'
  if (base === 'date') return 'cast(? as date)'
  if (base === 'time') return 'cast(? as time(6))'
  if (base === 'double') return '(? + 0e0)'
  if (/^(var)?char$|text$|^(uuid|inet4|inet6)$/.test(base)) return '?'
  throw new Error(
    `The "Cursor column" cannot be "${name}", which is a ${base}. Use a number, a time or a text.`,
  )
}
