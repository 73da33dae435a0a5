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
 * At most this long, tasks wait for a burst of connections to be accepted. With PostgreSQL, requests that have begun
 * add their own work to each turn: a health check behind 100 connections took 490 ms, and takes 50 ms if they wait.
 */
const BURST_MS = 100
/** Connections after a gap of this length are a new burst. */
const GAP_MS = 20

/**
 * Begins requests for a limited time in each turn of the event loop, in the order in which they came. Otherwise, when
 * hundreds arrive at once, everything else would wait until the last of them has been begun: timers, the responses of
 * others, and the health check.
 */
export function installTurns(app: FastifyInstance): void {
  const { enter, noteConnection } = createTurns()
  app.decorate('enterTurn', enter)
  app.server.on('connection', noteConnection)
  app.addHook('onRequest', ({ routeOptions }, _reply, done) => {
    if (routeOptions.config.isUrgent) done()
    else enter(done)
  })
}

export interface Turns {
  /** Starts a task now or, when this turn's time is over, in one of the next turns. */
  enter(start: () => void): void
  /** Leaves more of the next turns to accepting connections. */
  noteConnection(): void
}

export function createTurns(
  turnMs = TURN_MS,
  acceptingTurnMs = ACCEPTING_TURN_MS,
  burstMs = BURST_MS,
): Turns {
  let endsAt: number | undefined
  let isAccepting = false
  let accepted = 0
  let lastConnectionAt = 0
  let burstEndsAt = 0

  /** Each turn has time for at least one task, except in a burst of connections. */
  function begin(now: number): number {
    setImmediate(() => {
      endsAt = undefined
    })
    if (!isAccepting) return now + turnMs
    return now < burstEndsAt ? now : now + acceptingTurnMs
  }

  function enter(start: () => void): void {
    const now = performance.now()
    endsAt ??= begin(now)
    // the next turn begins before the tasks that wait for it, because it was scheduled first
    if (now < endsAt) start()
    else setImmediate(enter, start)
  }

  function noteConnection(): void {
    const now = performance.now()
    if (now - lastConnectionAt > GAP_MS) burstEndsAt = now + burstMs
    lastConnectionAt = now
    accepted++
    const turn = accepted
    // until a whole turn has passed without a connection, because tasks may enter a turn before its connection does
    setImmediate(() => {
      setImmediate(() => {
        if (turn === accepted) isAccepting = false
      })
    })
    isAccepting = true
  }

  return { enter, noteConnection }
}
