import { createPace } from '../concurrency.ts'

const PROGRESS_INTERVAL_MS = 1000

/**
 * Prints a progress line at intervals; on a terminal, each replaces the previous one. With `isQuiet`, work that ends
 * within the first interval prints nothing.
 */
export function createProgressPrinter(
  noun: string,
  isQuiet = false,
): (done: number, total: number) => void {
  const isTerminal = process.stderr.isTTY
  const isDue = createPace(PROGRESS_INTERVAL_MS, isQuiet ? performance.now() : undefined)
  let printsEnd = !isQuiet
  return (done, total) => {
    const isLast = done === total
    if (!isDue() && !(isLast && printsEnd)) return
    printsEnd = true
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total)
    const line = `${percent} %, ${done} of ${total} ${noun}`
    process.stderr.write(isTerminal ? `\r${line}${isLast ? '\n' : ''}` : `${line}\n`)
  }
}
