import type { FastifyInstance } from 'fastify'
import { elapsedMs } from './turns.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Logged at `debug`, like reads, because it is called so often. */
    quiet?: boolean
    /** Its requests are counted as captures. */
    capturesEvents?: boolean
  }
}

/** Tells whether each read gets a line in the log. */
export const logsReads = ({ log }: FastifyInstance): boolean => log.level === 'debug'

/**
 * Logs one line per response: changes and errors at `info`, reads and captured events at `debug`, because logging those
 * costs a tenth of the throughput. Omits query strings, because people put keys into them.
 */
export function installRequestLog(app: FastifyInstance): void {
  const isVerbose = logsReads(app)
  app.addHook('onResponse', (request, reply, done) => {
    const isFrequent = request.method === 'GET' || request.routeOptions.config.quiet
    const quiet = isFrequent && reply.statusCode < 400
    if (quiet && !isVerbose) return done()
    const line = {
      method: request.method,
      path: request.routeOptions.url ?? request.url.split('?', 1)[0],
      status: reply.statusCode,
      ms: Math.round(elapsedMs(request, reply) * 10) / 10,
      user: request.caller?.userId,
      project: request.caller?.projectId || undefined,
    }
    if (quiet) request.log.debug(line, 'request completed')
    else request.log.info(line, 'request completed')
    done()
  })
}
