import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Config } from '../config.ts'
import type { Services } from '../services.ts'
import { registerBackups } from './backups.ts'

/** Updates gauges before a scrape. */
export type Collector = () => Promise<void>

/** Adds `/metrics`, for Prometheus. */
export function installMetrics(
  app: FastifyInstance,
  { storage }: Pick<Services, 'storage'>,
  config: Partial<Pick<Config, 'backups'>>,
): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  observeRequests(app, registry)
  const collectors: readonly Collector[] = [registerBackups(registry, storage.db, config.backups)]
  app.get(
    '/metrics',
    { config: { scope: 'public' }, schema: { hide: true } },
    async (_request, reply) => {
      await Promise.all(collectors.map((collect) => collect()))
      return reply.type(registry.contentType).send(await registry.metrics())
    },
  )
}

function observeRequests(app: FastifyInstance, registry: Registry): void {
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
}
