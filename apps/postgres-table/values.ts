import { quoteName, type TableColumn } from './table.ts'

/** To the microsecond: rows that differ in nothing else are still two rows. */
const EXACT = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`

/**
 * How a column is read: always as text, in a form that does not depend on the session's settings. undefined: not at
 * all, since bytes are no property.
 */
export function toExpression(
  row: string,
  { name, base, category }: TableColumn,
): string | undefined {
  const column = `${row}.${quoteName(name)}`
  if (base === 'bytea') return undefined
  if (base === 'timestamptz') return finite(column, `${column} at time zone 'UTC'`, EXACT)
  if (base === 'timestamp') return finite(column, column, EXACT)
  if (base === 'date') return finite(column, column, `'YYYY-MM-DD'`)
  return category === 'A' || category === 'C' ? `to_json(${column})::text` : `${column}::text`
}

const finite = (column: string, value: string, form: string): string =>
  `case when isfinite(${column}) then to_char(${value}, ${form}) else ${column}::text end`

/** A property's value from its text; undefined for null. */
export function toValue(text: unknown, { base, category }: TableColumn): unknown {
  if (text === null || text === undefined) return undefined
  const value = String(text)
  if (base === 'bool') return value === 'true'
  if (base === 'json' || base === 'jsonb' || category === 'A' || category === 'C') {
    return JSON.parse(value)
  }
  return category === 'N' ? toNumber(value) : value
}

/** Only when the number is the same again as text: money, NaN and more digits than it holds stay text. */
function toNumber(text: string): number | string {
  const number = Number(text)
  if (!Number.isFinite(number) || text.trim() === '') return text
  if (/^-?\d+$/.test(text)) return Number.isSafeInteger(number) ? number : text
  const digits = text.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '')
  return digits.length <= 17 ? number : text
}
