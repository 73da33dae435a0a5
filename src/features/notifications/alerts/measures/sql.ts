import type { AlertProblem, AlertValue } from './measure.ts'

/** Takes the first cell. Large numbers may come as text. */
export function measureSql(results: readonly unknown[]): AlertValue | AlertProblem {
  const [cell] = Array.isArray(results[0]) ? results[0] : []
  const isNumber = typeof cell === 'number' || (typeof cell === 'string' && cell.trim() !== '')
  const value = isNumber ? Number(cell) : Number.NaN
  if (Number.isFinite(value)) return { value, earlier: [] }
  return { problem: 'The first cell of the first row is not a number.' }
}
