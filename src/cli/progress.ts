import { createPace } from '../concurrency.ts'

const PROGRESS_INTERVAL_MS = 1000

/**
 * Prints a progress line at intervals; on a terminal, each replaces the previous one. With `isQuiet`, work that ends
 * within an interval of its first call prints nothing.
 */
export function createProgressPrinter(
  noun: string,
  isQuiet = false,
): (done: number, total: number) => void {
  const isTerminal = process.stderr.isTTY
  let isDue: (() => boolean) | undefined
  let printsEnd = !isQuiet
  return (done, total) => {
    isDue ??= createPace(PROGRESS_INTERVAL_MS, isQuiet ? performance.now() : undefined)
    const isLast = done === total
    if (!isDue() && !(isLast && printsEnd)) return
    printsEnd = true
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total)
    const line = `${percent} %, ${done} of ${total} ${noun}`
    process.stderr.write(isTerminal ? `\r${line}${isLast ? '\n' : ''}` : `${line}\n`)
  }
}
