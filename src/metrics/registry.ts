import { collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client'
import type { ReadCache } from '../access/read-cache.ts'
import type { Config } from '../config.ts'
import type { Services } from '../services.ts'
import { registerBackups } from './backups.ts'
import { registerCaches } from './caches.ts'
import { registerCaptures } from './captures.ts'
import { type Collector, limitTime } from './collector.ts'
import type { ObservedQueries } from './observers.ts'
import { registerOutbox } from './outbox.ts'
import { registerQueries } from './queries.ts'
import { registerQueues } from './queues.ts'
import { registerStorage } from './storage.ts'

export interface MetricsOptions {
  readonly services: Pick<
    Services,
    'storage' | 'events' | 'querySlots' | 'results' | 'appends' | 'runaways'
  >
  readonly config: Partial<Pick<Config, 'backups' | 'dataFolder'>>
  readonly readCache: Pick<ReadCache, 'reads' | 'onResponse'>
}

/** The observations of a server since its start. */
export interface Observed {
  readonly requests: readonly Metric[]
  readonly captures: ReadonlyMap<number, number>
  readonly queries: ObservedQueries
}

export interface Scrape {
  readonly contentType: string
  read(): Promise<string>
}

/** Creates the metrics that `/metrics` shows. */
export function createScrape(
  { services, config, readCache }: MetricsOptions,
  { requests, captures, queries }: Observed,
): Scrape {
  const { storage, events, querySlots, results, appends, runaways } = services
  const { db } = storage
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const metric of requests) registry.registerMetric(metric)
  const failures = new Gauge({
    name: 'hedgerow_metrics_failed_groups',
    help: 'Groups of metrics that could not be read in this scrape, as when the database does not respond.',
    registers: [registry],
  })
  const collectors: readonly Collector[] = [
    registerCaptures(registry, captures, appends),
    registerQueries(registry, queries, querySlots, runaways),
    registerCaches(registry, { responses: readCache.reads, results: results.reads }),
    registerQueues(registry, db),
    ...registerStorage(registry, { db, events }, config),
    ...registerOutbox(registry, events),
    registerBackups(registry, db, config.backups),
  ].map(limitTime)

  return {
    contentType: registry.contentType,
    async read() {
      const outcomes = await Promise.allSettled(collectors.map((collect) => collect()))
      failures.set(outcomes.filter(({ status }) => status === 'rejected').length)
      return registry.metrics()
    },
  }
}
