import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Does not wait for a turn: monitoring gives up a server that responds late. */
    isUrgent?: boolean
  }
}

/** The time that one turn of the event loop spends on beginning requests. */
const TURN_MS = 10

/**
 * Begins requests for a limited time in each turn of the event loop, in the order in which they came. Otherwise, when
 * hundreds arrive at once, everything else would wait until the last of them has been begun: timers, the responses of
 * others, and the health check.
 */
export function installTurns(app: FastifyInstance): void {
  const enter = createTurns()
  app.addHook('onRequest', ({ routeOptions }, _reply, done) => {
    if (routeOptions.config.isUrgent) done()
    else enter(done)
  })
}

/** Returns a function that starts a task now or, when this turn's time is over, in one of the next turns. */
export function createTurns(turnMs = TURN_MS): (start: () => void) => void {
  let endsAt: number | undefined
  return function enter(start) {
    if (endsAt === undefined) {
      endsAt = performance.now() + turnMs
      setImmediate(() => {
        endsAt = undefined
      })
    }
    // the next turn begins before the tasks that wait for it, because it was scheduled first
    if (performance.now() < endsAt) start()
    else setImmediate(enter, start)
  }
}
