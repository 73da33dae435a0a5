import { Counter, type Registry } from 'prom-client'
import type { Runaways } from '../analytics/runaways.ts'
import { QUERY_SLOTS, type QuerySlots } from '../features/results/compute/query-slots.ts'
import { type Collector, createGauges } from './collector.ts'
import type { ObservedQueries } from './observers.ts'

/** Adds the durations of queries and the use of their slots. */
export function registerQueries(
  registry: Registry,
  { durations, waits, ended }: ObservedQueries,
  querySlots: Pick<QuerySlots, 'load'>,
  runaways: Runaways,
): Collector {
  registry.registerMetric(durations.metric)
  registry.registerMetric(waits.metric)
  const queries = new Counter({
    name: 'hedgerow_queries_total',
    help: 'Queries that have ended, by kind and outcome: succeeded, failed, canceled or refused.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  })
  const gauge = createGauges(registry)
  const slots = gauge('hedgerow_query_slots', 'Queries that can run at the same time.')
  const running = gauge('hedgerow_queries_running', 'Queries that run now.')
  const waiting = gauge('hedgerow_queries_waiting', 'Queries that wait for a slot now.')
  const runawaysNow = gauge(
    'hedgerow_runaway_statements',
    'Statements of the event store that did not end when they were stopped, and still run.',
  )
  const runawaysTotal = new Counter({
    name: 'hedgerow_runaway_statements_total',
    help: 'Statements of the event store that did not end when they were stopped, since the start.',
    registers: [registry],
  })
  slots.set(QUERY_SLOTS)
  return async () => {
    queries.reset()
    for (const [kind, outcomes] of ended) {
      for (const [outcome, count] of outcomes) queries.inc({ kind, outcome }, count)
    }
    const load = querySlots.load()
    running.set(load.running)
    waiting.set(load.waiting)
    runawaysNow.set(runaways.running)
    runawaysTotal.reset()
    runawaysTotal.inc(runaways.total)
  }
}
