import type { FastifyInstance } from 'fastify'
import { countCaptures, observeQueries } from './observers.ts'
import type { MetricsOptions, Scrape } from './registry.ts'
import { observeRequests } from './requests.ts'

/**
 * Adds `/metrics`, for Prometheus. docs/operating.md lists the metrics. The first scrape loads prom-client, whose 90 files
 * would take 25 ms of every start; its own metrics of the process begin then.
 */
export function installMetrics(app: FastifyInstance, options: MetricsOptions): void {
  const observed = {
    requests: observeRequests(app, options.readCache),
    captures: countCaptures(app),
    queries: observeQueries(options.services.querySlots),
  }
  let loading: Promise<Scrape> | undefined
  let reading: Promise<string> | undefined

  const load = async (): Promise<Scrape> =>
    (await import('./registry.ts')).createScrape(options, observed)

  app.get(
    '/metrics',
    { config: { scope: 'public' }, schema: { hide: true } },
    async (_request, reply) => {
      loading ??= load()
      const scrape = await loading
      // anyone may call this, so concurrent scrapes share one read of the database
      reading ??= scrape.read().finally(() => {
        reading = undefined
      })
      return reply.type(scrape.contentType).send(await reading)
    },
  )
}
