/** Ends the row with a line break. */
export const toCsvRow = (row: readonly unknown[]): string => `${row.map(toField).join(',')}\r\n`

/** Spreadsheets treat text that starts with one of these as a formula, and formulas can leak data. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** Signed numbers match FORMULA but are harmless. */
const NUMBER = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/

function toField(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : ''
  const text = typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
