import { type TableColumn, toNumber } from '../table/table.ts'
import { quoteName } from './names.ts'

/** Keeps microseconds, which may be all that distinguishes two rows. */
const EXACT = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`

/**
 * Returns the SQL that reads a column as text, independent of the session's settings. Returns undefined for bytes,
 * which cannot be a property.
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

/** Converts text to a property's value. Returns undefined for null. */
export function toValue(text: unknown, { base, category }: TableColumn): unknown {
  if (text === null || text === undefined) return undefined
  const value = String(text)
  if (base === 'bool') return value === 'true'
  if (base === 'json' || base === 'jsonb' || category === 'A' || category === 'C') {
    return JSON.parse(value)
  }
  return category === 'N' ? toNumber(value) : value
}
