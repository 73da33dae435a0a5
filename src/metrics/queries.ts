import { Counter, Histogram, type Registry } from 'prom-client'
import type { Runaways } from '../analytics/runaways.ts'
import { QUERY_SLOTS, type QuerySlots } from '../features/results/compute/query-slots.ts'
import { type Collector, createGauges } from './collector.ts'

const BUCKETS = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60]

/** Adds the durations of queries and the use of their slots. */
export function registerQueries(
  registry: Registry,
  querySlots: QuerySlots,
  runaways: Runaways,
): Collector {
  const durations = new Histogram({
    name: 'hedgerow_query_duration_seconds',
    help: 'Time of a query in its slot, by kind.',
    labelNames: ['kind'],
    buckets: BUCKETS,
    registers: [registry],
  })
  const ended = new Counter({
    name: 'hedgerow_queries_total',
    help: 'Queries that have ended, by kind and outcome: succeeded, failed, canceled or refused.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  })
  const waits = new Histogram({
    name: 'hedgerow_query_wait_seconds',
    help: 'Time that a query waited for a slot.',
    buckets: BUCKETS,
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
  querySlots.onEnd(({ kind, outcome, waitMs, runMs }) => {
    durations.observe({ kind }, runMs / 1000)
    ended.inc({ kind, outcome })
    waits.observe(waitMs / 1000)
  })
  return async () => {
    const load = querySlots.load()
    running.set(load.running)
    waiting.set(load.waiting)
    runawaysNow.set(runaways.running)
    runawaysTotal.reset()
    runawaysTotal.inc(runaways.total)
  }
}
