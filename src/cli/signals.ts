import type { FastifyBaseLogger } from 'fastify'

/** Node stops timing requests out once a server closes, so a sender that stalls must end here. */
const FINISH_WITHIN_MS = 30_000

/**
 * `npm start` passes on the Ctrl-C that the terminal has already sent to the whole process group, so
 * what follows this soon is the same one.
 */
const SAME_SIGNAL_MS = 300

/** The first signal lets what runs finish, for a while; a second one does not wait for it. */
export function stopOnSignals(
  log: FastifyBaseLogger,
  close: () => PromiseLike<unknown>,
  hurry: () => void = () => {},
): void {
  let since: number | undefined
  const stop = (signal: NodeJS.Signals) => {
    if (since !== undefined) {
      if (performance.now() - since > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    since = performance.now()
    log.info(`${signal}: finishing what runs`)
    setTimeout(hurry, FINISH_WITHIN_MS).unref()
    close().then(
      () => process.exit(0),
      (err) => {
        log.error({ err }, 'could not stop in order')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
