import type { CsvRow } from './reader.ts'

export type ColumnType = 'text' | 'number' | 'boolean'

export interface Column {
  readonly name: string
  readonly type: ColumnType
}

const WHOLE = /^-?(?:0|[1-9]\d*)$/
/** Requires a decimal point, since `12e5` is more likely a name than a number. */
const DECIMAL = /^-?(?:0|[1-9]\d*)\.\d+(?:[eE][+-]?\d{1,3})?$/
/** Numbers with more digits stay text, as they would lose precision. */
const MAX_DIGITS = 17

/** Names columns by the first row. Missing and duplicate names get the column's number. */
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

/** Detects a column's type if all values in the sample agree. Other columns are text. */
export function detectColumns(names: readonly string[], sample: readonly CsvRow[]): Column[] {
  return names.map((name, index) => {
    const types = new Set(
      sample
        .map(({ fields }) => fields[index] ?? '')
        .filter((value) => value !== '')
        .map(detectType),
    )
    const [type = 'text'] = types
    return { name, type: types.size === 1 ? type : 'text' }
  })
}

/** Returns undefined for an empty value, and the text if it does not match the column's type. */
export function toValue(text: string, type: ColumnType): string | number | boolean | undefined {
  if (text === '') return undefined
  if (type === 'text' || detectType(text) !== type) return text
  return type === 'number' ? Number(text) : text.toLowerCase() === 'true'
}

function detectType(text: string): ColumnType {
  const first = text.charCodeAt(0)
  if (first === 45 || (first >= 48 && first <= 57)) return isNumber(text) ? 'number' : 'text'
  return /^(?:true|false)$/i.test(text) ? 'boolean' : 'text'
}

function isNumber(text: string): boolean {
  if (text.length < 25 && WHOLE.test(text)) return Number.isSafeInteger(Number(text))
  if (text.length > 30 || !DECIMAL.test(text)) return false
  return countDigits(text) <= MAX_DIGITS && Number.isFinite(Number(text))
}

const countDigits = (text: string): number =>
  text.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '').length
