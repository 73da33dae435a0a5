import { Counter, type Registry } from 'prom-client'
import type { AppendCounts } from '../analytics/append-counts.ts'
import type { Collector } from './collector.ts'

/** Adds requests with events by the status of their responses, and the events that this process has stored for them and for import apps. */
export function registerCaptures(
  registry: Registry,
  responses: ReadonlyMap<number, number>,
  appends: AppendCounts,
): Collector {
  const requests = new Counter({
    name: 'hedgerow_capture_requests_total',
    help: 'Requests with events, by the status of the response; 4xx and 5xx are refusals.',
    labelNames: ['status'],
    registers: [registry],
  })
  const events = new Counter({
    name: 'hedgerow_events_stored_total',
    help: 'Events that were stored, from requests and from import apps; with DuckDB including duplicates.',
    registers: [registry],
  })
  const failures = new Counter({
    name: 'hedgerow_events_append_failures_total',
    help: 'Batches of events that could not be stored.',
    registers: [registry],
  })
  return async () => {
    requests.reset()
    for (const [status, count] of responses) requests.inc({ status: String(status) }, count)
    events.reset()
    events.inc(appends.events)
    failures.reset()
    failures.inc(appends.failures)
  }
}
