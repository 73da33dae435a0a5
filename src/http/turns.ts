import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
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

/** Responds to a request before Fastify sees it, or leaves it to Fastify; tells whether it has responded. */
export type RespondEarly = (
  request: IncomingMessage,
  response: ServerResponse,
  arrivedAt: number,
) => boolean | Promise<boolean>

/** Milliseconds that each delayed request waited. */
const waits = new WeakMap<IncomingMessage, number>()

/**
 * Begins requests for a limited time in each turn of the event loop, in the order in which they came. Otherwise, when
 * hundreds arrive at once, everything else would wait until the last of them has been begun: timers, the responses of
 * others, and the health check. They wait before Fastify sees them, because routing is half of beginning a request.
 */
export function installTurns(app: FastifyInstance, respondEarly: RespondEarly = () => false): void {
  const { enter, noteConnection } = createTurns()
  const urgentPaths = new Set<string>()
  app.decorate('enterTurn', enter)
  app.addHook('onRoute', ({ config, url }) => {
    if (config?.isUrgent) urgentPaths.add(url)
  })
  const [handle] = app.server.listeners('request') as [RequestListener]
  app.server.on('connection', noteConnection)
  app.server.off('request', handle).on('request', (request, response) => {
    if (urgentPaths.has(toPath(request.url as string))) return handle(request, response)
    const arrivedAt = performance.now()
    let hasWaited = false
    const begin = () => {
      if (hasWaited) waits.set(request, performance.now() - arrivedAt)
      handle(request, response)
    }
    enter(() => {
      const responding = respondEarly(request, response, arrivedAt)
      if (responding === true) return
      if (responding === false) return begin()
      hasWaited = true
      responding.then((hasResponded) => hasResponded || begin(), begin)
    })
    hasWaited = true
  })
}

/** Returns the path of a URL as it is registered: without the query and a trailing slash. */
function toPath(url: string): string {
  const query = url.indexOf('?')
  const path = query < 0 ? url : url.slice(0, query)
  return path.endsWith('/') ? path.slice(0, -1) : path
}

/** Returns the ms since the request arrived, including the wait for its turn. */
export const elapsedMs = ({ raw }: FastifyRequest, { elapsedTime }: FastifyReply): number =>
  elapsedTime + (waits.get(raw) ?? 0)
