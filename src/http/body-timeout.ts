import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Lets the body take any time, as long as data keeps arriving. */
    allowsSlowBody?: boolean
  }
}

const TIMEOUT_MS = 60_000

/**
 * Disconnects clients that send their body too slowly. Only the client's time counts. Node's own limit is the same for
 * every request, but a large file may take longer than anything else.
 */
export function installBodyTimeout(app: FastifyInstance, timeoutMs = TIMEOUT_MS): void {
  app.addHook('onRequest', (request, _reply, done) => {
    // a request of the server to itself has its whole body and no connection that could be closed
    if (hasBody(request) && request.raw.socket instanceof Socket) setImmediate(startTimer, request)
    done()
  })

  /** Called a turn later, when most bodies have arrived and need no timer. */
  function startTimer({ raw, routeOptions }: FastifyRequest): void {
    if (raw.complete || raw.destroyed) return
    let bytesSeen = raw.socket.bytesRead
    const timer = setTimeout(() => {
      if (raw.complete) return
      // unread bytes mean that the server is slow, not the client
      if (raw.readableLength > 0) return void timer.refresh()
      const isSending = raw.socket.bytesRead > bytesSeen
      if (!isSending || !routeOptions.config.allowsSlowBody) return disconnect()
      bytesSeen = raw.socket.bytesRead
      timer.refresh()
    }, timeoutMs).unref()
    raw.once('end', () => clearTimeout(timer))
    raw.once('close', () => clearTimeout(timer))

    function disconnect(): void {
      const error = Object.assign(new Error('Request timeout'), {
        code: 'ERR_HTTP_REQUEST_TIMEOUT',
      })
      app.server.emit('clientError', error, raw.socket)
    }
  }
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
