import type { Cell } from './event-table.ts'
import { resultTooLarge } from './query-errors.ts'

/** Creates a function that counts the characters of cells and throws when they are more than `max`. */
export function createTextLimit(max = Number.POSITIVE_INFINITY): (cell: Cell) => void {
  let left = max
  return (cell) => {
    if (typeof cell !== 'string') return
    left -= cell.length
    if (left < 0) throw resultTooLarge()
  }
}
