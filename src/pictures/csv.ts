import { toRows } from '../model/query-kinds/index.ts'

/** RFC 4180, with a header. One row for each bucket, step, cohort, link or row of the answer. */
export function toCsv(query: object, result: unknown): string {
  return toRows(query, result)
    .map((row) => `${row.map(toField).join(',')}\r\n`)
    .join('')
}

/** Spreadsheets take a text that begins so for a formula, and formulas can send data away. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** Numbers are harmless in a spreadsheet. */
const NUMBER = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/

function toField(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : ''
  const text = typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
