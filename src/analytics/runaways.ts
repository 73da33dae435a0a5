import { BusyError } from '../errors.ts'
import { HeavyQueryError } from './query-errors.ts'

/** The time that a statement has to end after it was stopped. Most take milliseconds. */
const GRACE_MS = 3000

/** Each occupies a thread of the process or a connection, of which there are ten and more. */
const MAX_RUNNING = 4

/** Statements that did not end when they were stopped. Their callers no longer wait for them. */
export interface Runaways {
  /** Those that still run. */
  readonly running: number
  /** All since the start. */
  readonly total: number
  /**
   * Waits for a statement, but not for long once `stop` has aborted. `terminate` is a last attempt to end it.
   */
  watch<T>(statement: Promise<T>, stop: AbortSignal, terminate?: () => Promise<unknown>): Promise<T>
  /** Refuses another statement of a user while too many run away. */
  requireFew(): void
}

export interface RunawayOptions {
  readonly warn?: (message: string) => void
  readonly graceMs?: number
}

export function createRunaways({
  warn = () => {},
  graceMs = GRACE_MS,
}: RunawayOptions = {}): Runaways {
  let running = 0
  let total = 0

  return {
    get running() {
      return running
    },
    get total() {
      return total
    },
    async watch(statement, stop, terminate) {
      const { promise: isOverdue, resolve } = Promise.withResolvers<typeof OVERDUE>()
      let timer: NodeJS.Timeout | undefined
      const giveUp = () => resolve(OVERDUE)
      const insist = () => {
        void terminate?.().catch(() => {})
        timer = setTimeout(giveUp, terminate ? graceMs : 0)
      }
      const wait = () => {
        timer = setTimeout(insist, graceMs)
      }
      if (stop.aborted) wait()
      else stop.addEventListener('abort', wait, { once: true })
      try {
        const outcome = await Promise.race([statement, isOverdue])
        if (outcome !== OVERDUE) return outcome
      } finally {
        clearTimeout(timer)
        stop.removeEventListener('abort', wait)
      }
      running++
      total++
      warn(
        'A statement of the event store did not end when it was stopped. It continues, and nobody waits for it.',
      )
      statement.catch(() => {}).finally(() => running--)
      throw runaway()
    },
    requireFew() {
      if (running >= MAX_RUNNING) throw tooManyRunaways()
    },
  }
}

const OVERDUE = Symbol('overdue')

const runaway = (): HeavyQueryError =>
  new HeavyQueryError(
    'The query could not be stopped at its time limit. Use fewer joins, shorter texts and simpler conditions.',
  )

const tooManyRunaways = (): BusyError =>
  new BusyError('Several queries could not be stopped. Try again later, or restart the server.')
