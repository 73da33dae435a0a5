import type { CsvRow } from './reader.ts'

export type ColumnType = 'text' | 'number' | 'boolean'

export interface Column {
  readonly name: string
  readonly type: ColumnType
}

const WHOLE = /^-?(?:0|[1-9]\d*)$/
/** Without a point, `12e5` is rather a name than a number. */
const DECIMAL = /^-?(?:0|[1-9]\d*)\.\d+(?:[eE][+-]?\d{1,3})?$/
/** More digits than a number can hold: it is text, or something would be lost. */
const DECIMAL_DIGITS = 17

/** Names from the first row; a name that is missing or there twice gets its place in the row. */
export function nameColumns(fields: readonly string[]): string[] {
  const names = new Set<string>()
  for (const [index, field] of fields.entries()) {
    let name = field.trim()
    if (name === '') name = `column_${index + 1}`
    while (names.has(name)) name = `${name}_${index + 1}`
    names.add(name)
  }
  return [...names]
}

/** A column is of a type when all its values in the sample are; otherwise it is text, down to its last row. */
export function detectColumns(names: readonly string[], sample: readonly CsvRow[]): Column[] {
  return names.map((name, index) => {
    const types = new Set(
      sample
        .map(({ fields }) => fields[index] ?? '')
        .filter((value) => value !== '')
        .map(typeOf),
    )
    const [type = 'text'] = types
    return { name, type: types.size === 1 ? type : 'text' }
  })
}

/** Absent when empty; as it stands when it is not of its column's type after all. */
export function toValue(text: string, type: ColumnType): string | number | boolean | undefined {
  if (text === '') return undefined
  if (type === 'text' || typeOf(text) !== type) return text
  return type === 'number' ? Number(text) : text.toLowerCase() === 'true'
}

function typeOf(text: string): ColumnType {
  const first = text.charCodeAt(0)
  if (first === 45 || (first >= 48 && first <= 57)) return isNumber(text) ? 'number' : 'text'
  return /^(?:true|false)$/i.test(text) ? 'boolean' : 'text'
}

function isNumber(text: string): boolean {
  if (text.length < 25 && WHOLE.test(text)) return Number.isSafeInteger(Number(text))
  if (text.length > 30 || !DECIMAL.test(text)) return false
  return digitsOf(text) <= DECIMAL_DIGITS && Number.isFinite(Number(text))
}

const digitsOf = (text: string): number =>
  text.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '').length
