import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { EventStore } from '../analytics/event-store.ts'
import type { Storage } from '../db/open.ts'
import { ApiError } from '../errors.ts'
import { sendError } from './error-handler.ts'

const PUBLIC = { config: { scope: 'public' as const }, schema: { hide: true } }

/** Adds health, readiness and metrics endpoints. */
export function installMonitoring(
  app: FastifyInstance,
  { db }: Storage,
  events: Pick<EventStore, 'requireReady'>,
): void {
  const health = { ...PUBLIC, config: { ...PUBLIC.config, isUrgent: true } }
  app.get('/_health', health, async () => ({ status: 'ok' }))

  app.get('/_ready', PUBLIC, async (request, reply) => {
    try {
      await db.selectFrom('access_state').select('version').executeTakeFirstOrThrow()
      await events.requireReady()
      return { status: 'ok' }
    } catch (err) {
      request.log.error({ err }, 'the storage is not ready')
      const isExplained = err instanceof ApiError && err.code === 'unavailable'
      const problem = new ApiError('unavailable', 'The storage does not respond.')
      return sendError(reply, isExplained ? err : problem)
    }
  })

  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
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
    durations.observe(labels, reply.elapsedTime / 1000)
    done()
  })
  app.get('/metrics', PUBLIC, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
}
