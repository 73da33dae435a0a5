import type { Registry } from 'prom-client'
import type { EventStore } from '../analytics/event-store.ts'
import { type Collector, createGauges } from './collector.ts'

/**
 * Adds what waits for ClickHouse, and how it stores the events. Without ClickHouse, none of these has a value. Parts have
 * a collector of their own, because ClickHouse may be down.
 */
export function registerOutbox(
  registry: Registry,
  { readOutbox, readParts }: Pick<EventStore, 'readOutbox' | 'readParts'>,
): readonly Collector[] {
  const gauge = createGauges(registry)
  const events = gauge('hedgerow_outbox_events', 'Events that wait for ClickHouse.')
  const bytes = gauge('hedgerow_outbox_bytes', 'Size of the events that wait for ClickHouse.')
  const limit = gauge(
    'hedgerow_outbox_limit_bytes',
    'Size of waiting events above which events are refused.',
  )
  const age = gauge('hedgerow_outbox_age_seconds', 'Time that the oldest waiting event has waited.')
  const merged = gauge(
    'hedgerow_outbox_merged_persons',
    'Merged persons whose events in ClickHouse still have their old number.',
  )
  const deletions = gauge(
    'hedgerow_outbox_deletions',
    'Deletions of events that ClickHouse has not applied yet.',
  )
  const parts = gauge(
    'hedgerow_clickhouse_parts',
    "Highest number of active parts that one month's events have in ClickHouse.",
  )
  const waiting = [events, bytes, limit, age, merged, deletions]
  for (const each of [...waiting, parts]) each.remove() // a new gauge is 0

  return [
    async () => {
      for (const each of waiting) each.remove()
      const outbox = await readOutbox?.()
      if (!outbox) return
      events.set(outbox.events)
      bytes.set(outbox.bytes)
      limit.set(outbox.maxBytes)
      age.set(outbox.seconds)
      merged.set(outbox.mergedPersons)
      deletions.set(outbox.deletions)
    },
    async () => {
      parts.remove()
      const count = await readParts?.()
      if (count !== undefined) parts.set(count)
    },
  ]
}
