import type { IncomingMessage, RequestListener } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createTurns } from '../turns.ts'

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

/** The path of a URL as it is registered: without the query and a trailing slash. */
const PATH = /^[^?]*[^?/]/

/** Milliseconds that each delayed request waited. */
const waits = new WeakMap<IncomingMessage, number>()

/**
 * Begins requests for a limited time in each turn of the event loop, in the order in which they came. Otherwise, when
 * hundreds arrive at once, everything else would wait until the last of them has been begun: timers, the responses of
 * others, and the health check. They wait before Fastify sees them, because routing is half of beginning a request.
 */
export function installTurns(app: FastifyInstance): void {
  const { enter, noteConnection } = createTurns()
  const urgentPaths = new Set<string>()
  app.decorate('enterTurn', enter)
  app.addHook('onRoute', ({ config, url }) => {
    if (config?.isUrgent) urgentPaths.add(url)
  })
  const [handle] = app.server.listeners('request') as [RequestListener]
  app.server.on('connection', noteConnection)
  app.server.off('request', handle).on('request', (request, response) => {
    const [path = ''] = PATH.exec(request.url as string) ?? []
    if (urgentPaths.has(path)) return handle(request, response)
    const arrivedAt = performance.now()
    let hasWaited = false
    enter(() => {
      if (hasWaited) waits.set(request, performance.now() - arrivedAt)
      handle(request, response)
    })
    hasWaited = true
  })
}

/** Returns the ms since the request arrived, including the wait for its turn. */
export const elapsedMs = ({ raw }: FastifyRequest, { elapsedTime }: FastifyReply): number =>
  elapsedTime + (waits.get(raw) ?? 0)
