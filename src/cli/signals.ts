import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'

/** Requests that take longer are cut off: `docker stop` kills after 10 s, and stores need time to close. */
const DRAIN_TIMEOUT_MS = 4000

/**
 * `npm start` passes on the Ctrl-C that the terminal has already sent to the whole process group, so
 * a signal this soon after another is the same one.
 */
const SAME_SIGNAL_MS = 300

interface Stopping {
  /** Tells clients to go elsewhere. */
  announce?(): void
  /** The time that they have for it. */
  readonly delayMs?: number
  /** Accepts no more connections. */
  stopListening?(): Promise<void>
  close(): PromiseLike<unknown>
  closeConnections?(): void
  /** Whether a thread is busy that nothing can end. */
  hasStuckThread(): boolean
}

/** Drains on the first signal, for a limited time, and exits at once on the second. */
export function stopOnSignals(
  log: FastifyBaseLogger,
  { announce, delayMs = 0, stopListening, close, closeConnections, hasStuckThread }: Stopping,
): void {
  const exit = (code: number) => (hasStuckThread() ? exitWithThreads(code) : process.exit(code))
  const drain = async (signal: NodeJS.Signals) => {
    if (delayMs > 0) {
      announce?.()
      log.info(`${signal}: stopping in ${delayMs / 1000} s`)
      await wait(delayMs)
    }
    log.info(`${signal}: draining`)
    setTimeout(() => {
      log.warn('draining took too long: closing the remaining connections')
      closeConnections?.()
    }, DRAIN_TIMEOUT_MS).unref()
    await stopListening?.()
    await close()
  }
  let stoppedAt: number | undefined
  const stop = (signal: NodeJS.Signals) => {
    if (stoppedAt !== undefined) {
      if (performance.now() - stoppedAt > SAME_SIGNAL_MS) exit(1)
      return
    }
    stoppedAt = performance.now()
    drain(signal).then(
      () => exit(0),
      (err) => {
        log.error({ err }, 'could not stop cleanly')
        exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** Has another program take the place of this one, with all its threads, because `exit` would wait for them. */
function exitWithThreads(code: number): void {
  process.execve?.(process.execPath, [process.execPath, '-e', `process.exit(${code})`], {})
}
