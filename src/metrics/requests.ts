import type { FastifyInstance } from 'fastify'
import { Histogram, type Registry } from 'prom-client'
import { elapsedMs } from '../http/turns.ts'

/** Adds the durations of requests. */
export function registerRequests(registry: Registry, app: FastifyInstance): void {
  const durations = new Histogram({
    name: 'hedgerow_http_request_duration_seconds',
    help: 'Time from the request line to the last byte of the response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    // the pattern, never the URL, because each ID or token would create its own series
    const route = request.routeOptions.url ?? 'none'
    const labels = { method: request.method, route, status: String(reply.statusCode) }
    durations.observe(labels, elapsedMs(request, reply) / 1000)
    done()
  })
}
