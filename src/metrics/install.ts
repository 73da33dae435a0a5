import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { ReadCache } from '../access/read-cache.ts'
import type { Config } from '../config.ts'
import type { Services } from '../services.ts'
import { registerBackups } from './backups.ts'
import { registerCaches } from './caches.ts'
import { registerCaptures } from './captures.ts'
import { type Collector, limitTime } from './collector.ts'
import { registerOutbox } from './outbox.ts'
import { registerQueries } from './queries.ts'
import { registerQueues } from './queues.ts'
import { registerRequests } from './requests.ts'
import { registerStorage } from './storage.ts'

export interface MetricsOptions {
  readonly services: Pick<
    Services,
    'storage' | 'events' | 'querySlots' | 'results' | 'appends' | 'runaways'
  >
  readonly config: Partial<Pick<Config, 'backups' | 'dataFolder'>>
  readonly readCache: Pick<ReadCache, 'reads' | 'onResponse'>
}

/** Adds `/metrics`, for Prometheus. docs/operating.md lists the metrics. */
export function installMetrics(
  app: FastifyInstance,
  { services, config, readCache }: MetricsOptions,
): void {
  const { storage, events, querySlots, results, appends, runaways } = services
  const { db } = storage
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  registerRequests(registry, app, readCache)
  const failures = new Gauge({
    name: 'hedgerow_metrics_failed_groups',
    help: 'Groups of metrics that could not be read in this scrape, as when the database does not respond.',
    registers: [registry],
  })
  const collectors: readonly Collector[] = [
    registerCaptures(registry, app, appends),
    registerQueries(registry, querySlots, runaways),
    registerCaches(registry, { responses: readCache.reads, results: results.reads }),
    registerQueues(registry, db),
    ...registerStorage(registry, { db, events }, config),
    ...registerOutbox(registry, events),
    registerBackups(registry, db, config.backups),
  ].map(limitTime)
  let scrape: Promise<string> | undefined

  async function read(): Promise<string> {
    const outcomes = await Promise.allSettled(collectors.map((collect) => collect()))
    failures.set(outcomes.filter(({ status }) => status === 'rejected').length)
    return registry.metrics()
  }

  app.get(
    '/metrics',
    { config: { scope: 'public' }, schema: { hide: true } },
    async (_request, reply) => {
      // anyone may call this, so concurrent scrapes share one read of the database
      scrape ??= read().finally(() => {
        scrape = undefined
      })
      return reply.type(registry.contentType).send(await scrape)
    },
  )
}
