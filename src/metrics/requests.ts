import type { FastifyInstance } from 'fastify'
import { Histogram, type Registry, Summary } from 'prom-client'
import { elapsedMs } from '../http/turns.ts'

/**
 * Adds the durations of requests: their distribution by status, and sum and count by route. A distribution of every
 * route, method and status would have thousands of series.
 */
export function registerRequests(registry: Registry, app: FastifyInstance): void {
  const durations = new Histogram({
    name: 'hedgerow_http_request_duration_seconds',
    help: 'Time from the request line to the last byte of the response.',
    labelNames: ['status'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registers: [registry],
  })
  const byRoute = new Summary({
    name: 'hedgerow_http_route_duration_seconds',
    help: 'The same by the collection that a route belongs to, without its distribution.',
    labelNames: ['route'],
    percentiles: [],
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    const seconds = elapsedMs(request, reply) / 1000
    durations.observe({ status: String(reply.statusCode) }, seconds)
    byRoute.observe({ route: toCollection(request.routeOptions.url) }, seconds)
    done()
  })
}

/** Ends behind the first name, or the first in a project or organization. */
const COLLECTION = /^\/(?:api\/)?(?:(?:projects|environments|organizations)\/:\w+\/)?[^/]*/

/** Returns the beginning of a route's pattern, never of the URL: each ID or token would create its own series. */
const toCollection = (pattern: string | undefined): string =>
  COLLECTION.exec(pattern ?? '')?.[0] ?? 'none'
