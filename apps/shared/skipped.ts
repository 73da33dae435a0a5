import type { Log } from './app.ts'

const SHOWN = 20

export interface Skipped {
  readonly count: number
  /** In words: where it is, what is wrong with it. */
  add(problem: string): void
  /** Says how many there were, if the log does not show all of them. */
  finish(): void
  /** When everything was left out the settings are wrong, not the data. */
  requireSome(imported: number, whatToDo: string): void
}

/** What could not be imported: the first ones are named in the log, all are counted. */
export function createSkipped(log: Log): Skipped {
  let count = 0
  let first = ''

  return {
    get count() {
      return count
    },
    add(problem) {
      count += 1
      if (count === 1) first = problem
      if (count <= SHOWN) log.warn(`${problem} Left out.`)
    },
    finish() {
      if (count > SHOWN) {
        log.warn(`${count} were left out in all; the first ${SHOWN} are named above.`)
      }
    },
    requireSome(imported, whatToDo) {
      if (imported > 0 || count === 0) return
      throw new Error(`Nothing could be imported; ${count} left out. ${first} ${whatToDo}`)
    },
  }
}
