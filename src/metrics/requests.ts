import type { FastifyInstance } from 'fastify'
import type { Metric } from 'prom-client'
import type { ReadCache } from '../access/read-cache.ts'
import { elapsedMs } from '../http/turns.ts'
import { createDurations } from './durations.ts'

/**
 * Observes the durations of requests: their distribution by status, and sum and count by route. A distribution of every
 * route, method and status would have thousands of series.
 */
export function observeRequests(
  app: FastifyInstance,
  readCache: Pick<ReadCache, 'onResponse'>,
): readonly Metric[] {
  const statuses = createDurations({
    name: 'hedgerow_http_request_duration_seconds',
    help: 'Time from the request line to the last byte of the response.',
    label: 'status',
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
  })
  const routes = createDurations({
    name: 'hedgerow_http_route_duration_seconds',
    help: 'The same by the collection that a route belongs to, without its distribution.',
    label: 'route',
  })
  function observe(status: number, route: string | undefined, ms: number): void {
    statuses.observe(status, ms)
    routes.observe(toCollection(route), ms)
  }
  app.addHook('onResponse', (request, reply, done) => {
    observe(reply.statusCode, request.routeOptions.url, elapsedMs(request, reply))
    done()
  })
  readCache.onResponse(observe)
  return [statuses.metric, routes.metric]
}

/** Ends behind the first name, or the first in a project or organization. */
const COLLECTION = /^\/(?:api\/)?(?:(?:projects|environments|organizations)\/:\w+\/)?[^/]*/

const collections = new Map<string | undefined, string>()

/** Returns the beginning of a route's pattern, never of the URL: each ID or token would create its own series. */
function toCollection(pattern: string | undefined): string {
  const known = collections.get(pattern)
  if (known !== undefined) return known
  const collection = COLLECTION.exec(pattern ?? '')?.[0] ?? 'none'
  collections.set(pattern, collection)
  return collection
}
