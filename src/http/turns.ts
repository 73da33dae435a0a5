import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Does not wait for a turn: monitoring gives up a server that responds late. */
    isUrgent?: boolean
  }
  interface FastifyInstance {
    /** Starts a task now or, when the time of this turn of the event loop is over, in one of the next turns. */
    enterTurn(start: () => void): void
  }
}

/** The time that one turn of the event loop spends on starting tasks. */
const TURN_MS = 10
/** The same while connections arrive: Node accepts one in each turn, and a health check may be the last of hundreds. */
const ACCEPTING_TURN_MS = 1

/**
 * Begins requests for a limited time in each turn of the event loop, in the order in which they came. Otherwise, when
 * hundreds arrive at once, everything else would wait until the last of them has been begun: timers, the responses of
 * others, and the health check.
 */
export function installTurns(app: FastifyInstance): void {
  const { enter, shortenNext } = createTurns()
  app.decorate('enterTurn', enter)
  app.server.on('connection', shortenNext)
  app.addHook('onRequest', ({ routeOptions }, _reply, done) => {
    if (routeOptions.config.isUrgent) done()
    else enter(done)
  })
}

export interface Turns {
  /** Starts a task now or, when this turn's time is over, in one of the next turns. Each turn starts at least one. */
  enter(start: () => void): void
  /** Gives the next turn less time. */
  shortenNext(): void
}

export function createTurns(turnMs = TURN_MS, shortMs = ACCEPTING_TURN_MS): Turns {
  let endsAt: number | undefined
  let isNextShort = false

  function begin(): number {
    const ms = isNextShort ? shortMs : turnMs
    isNextShort = false
    setImmediate(() => {
      endsAt = undefined
    })
    return performance.now() + ms
  }

  function enter(start: () => void): void {
    endsAt ??= begin()
    // the next turn begins before the tasks that wait for it, because it was scheduled first
    if (performance.now() < endsAt) start()
    else setImmediate(enter, start)
  }

  return {
    enter,
    shortenNext: () => {
      isNextShort = true
    },
  }
}
