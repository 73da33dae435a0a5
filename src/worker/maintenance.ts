import type { EventStore } from '../analytics/event-store.ts'
import type { Db } from '../db/schema.ts'
import { inSeconds } from '../db/values.ts'
import { finishRemovals } from '../features/accounts/projects/remove-project.ts'
import { applyRetention } from '../features/events/events/retention.ts'
import { pruneWarnings } from '../features/events/ingestion-warnings/store.ts'
import { pruneRuns } from '../features/import-apps/runs/execution/claim-store.ts'
import { pruneLogs } from '../features/import-apps/runs/logs/log-store.ts'
import { pruneMetrics, RETENTION_DAYS } from '../features/import-apps/runs/metrics/metrics-store.ts'
import { pruneAppCache } from '../features/import-apps/runs/services/cache-store.ts'
import { pruneRequests } from '../features/import-apps/webhooks/store.ts'
import { pruneDeliveries } from '../features/notifications/deliveries/store.ts'
import { deleteResultsBefore } from '../features/results/cache/store.ts'
import { finishDemoRemovals } from '../features/setup/demo/remove-demo.ts'

/** Deletes expired rows and events. Any number of workers may run it at the same time. */
export async function runMaintenance(db: Db, events: EventStore): Promise<void> {
  const cutoff = inSeconds(-RETENTION_DAYS * 24 * 3600)
  await pruneRuns(db, cutoff)
  await pruneRequests(db)
  await pruneDeliveries(db, cutoff)
  await pruneLogs(db)
  await pruneMetrics(db)
  await pruneAppCache(db)
  await deleteResultsBefore(db, cutoff)
  await applyRetention(db, events)
  await pruneWarnings(events)
  await finishRemovals(db, events)
  await finishDemoRemovals(db, events)
}
