import { Counter, type Registry } from 'prom-client'
import type { CacheReads } from '../telemetry/cache-reads.ts'
import type { Collector } from './collector.ts'

/** Adds hits and misses of the caches, by name. */
export function registerCaches(
  registry: Registry,
  caches: Readonly<Record<string, CacheReads>>,
): Collector {
  const reads = new Counter({
    name: 'hedgerow_cache_reads_total',
    help: 'Reads of the caches of responses and of query results, by result: hit or miss.',
    labelNames: ['cache', 'result'],
    registers: [registry],
  })
  return async () => {
    reads.reset()
    for (const [cache, { hits, misses }] of Object.entries(caches)) {
      reads.inc({ cache, result: 'hit' }, hits)
      reads.inc({ cache, result: 'miss' }, misses)
    }
  }
}
