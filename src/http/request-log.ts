import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Called so often that its answers, like plain reads, are not worth a line each. */
    quiet?: boolean
  }
}

/**
 * One line per answer: changes and refusals at `info`, plain reads and captured events at `debug`, since logging those as well costs a
 * tenth of the throughput. Query strings stay out: people put keys into them.
 */
export function installRequestLog(app: FastifyInstance): void {
  const logsReads = app.log.level === 'debug'
  app.addHook('onResponse', (request, reply, done) => {
    const isUsual = request.method === 'GET' || request.routeOptions.config.quiet
    const quiet = isUsual && reply.statusCode < 400
    if (quiet && !logsReads) return done()
    const line = {
      method: request.method,
      path: request.routeOptions.url ?? request.url.split('?', 1)[0],
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      user: request.caller?.userId,
      project: request.caller?.projectId || undefined,
    }
    if (quiet) request.log.debug(line, 'answered')
    else request.log.info(line, 'answered')
    done()
  })
}
