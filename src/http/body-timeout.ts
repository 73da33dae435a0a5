import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body may take as long as it likes, as long as some of it comes. */
    allowsSlowBody?: boolean
  }
}

const PATIENCE_MS = 60_000

/**
 * A slow sender may not hold a connection for ever. Node's own limit is the same for every request, and a large file
 * takes longer than anything else may.
 */
export function installBodyTimeout(app: FastifyInstance, patienceMs = PATIENCE_MS): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (hasBody(request)) watch(request)
    done()
  })

  function watch({ raw, routeOptions }: FastifyRequest): void {
    let seen = raw.socket.bytesRead
    const timer = setTimeout(() => {
      const isMoving = raw.socket.bytesRead > seen
      if (!isMoving || !routeOptions.config.allowsSlowBody) return giveUp()
      seen = raw.socket.bytesRead
      timer.refresh()
    }, patienceMs).unref()
    raw.once('end', () => clearTimeout(timer))
    raw.once('close', () => clearTimeout(timer))

    function giveUp(): void {
      const error = Object.assign(new Error('Request timeout'), {
        code: 'ERR_HTTP_REQUEST_TIMEOUT',
      })
      app.server.emit('clientError', error, raw.socket)
    }
  }
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
