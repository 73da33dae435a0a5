import type { App } from './app.ts'

const MAX_LOGGED = 20

export interface Skipped {
  readonly count: number
  /** `problem` says where the row is and what is wrong with it; `row` is what was read. */
  add(problem: string, row?: unknown): void
  /** Logs the total if the log does not show all of them. */
  finish(): void
  /** Throws if everything was skipped: then the settings are wrong, not the data. */
  requireSome(imported: number, remedy: string): void
}

/** Reports the rows that could not be imported to the run, and logs the first ones. */
export function createSkipped({ log, meta }: Pick<App, 'log' | 'meta'>): Skipped {
  let count = 0
  let first = ''

  return {
    get count() {
      return count
    },
    add(problem, row) {
      count += 1
      meta.utils.skip(problem, row)
      if (count === 1) first = problem
      if (count <= MAX_LOGGED) log.warn(`${problem} Skipped.`)
    },
    finish() {
      if (count > MAX_LOGGED) {
        log.warn(`${count} skipped in total. The first ${MAX_LOGGED} are listed above.`)
      }
    },
    requireSome(imported, remedy) {
      if (imported > 0 || count === 0) return
      throw new Error(`Nothing was imported, ${count} skipped. ${first} ${remedy}`)
    },
  }
}
