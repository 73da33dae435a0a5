import type { FastifyBaseLogger } from 'fastify'

/** Requests that take longer are cut off: `docker stop` kills after 10 s, and stores need time to close. */
const DRAIN_TIMEOUT_MS = 4000

/**
 * `npm start` passes on the Ctrl-C that the terminal has already sent to the whole process group, so
 * a signal this soon after another is the same one.
 */
const SAME_SIGNAL_MS = 300

/** Drains on the first signal, for a limited time, and exits at once on the second. */
export function stopOnSignals(
  log: FastifyBaseLogger,
  close: () => PromiseLike<unknown>,
  closeConnections: () => void = () => {},
): void {
  let stoppedAt: number | undefined
  const stop = (signal: NodeJS.Signals) => {
    if (stoppedAt !== undefined) {
      if (performance.now() - stoppedAt > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    stoppedAt = performance.now()
    log.info(`${signal}: draining`)
    setTimeout(() => {
      log.warn('draining took too long: closing the remaining connections')
      closeConnections()
    }, DRAIN_TIMEOUT_MS).unref()
    close().then(
      () => process.exit(0),
      (err) => {
        log.error({ err }, 'could not stop cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
