import type { EventStore } from '../../analytics/event-store.ts'
import type { Db } from '../../db/schema.ts'
import { inSeconds } from '../../db/values.ts'
import { pruneDeliveries } from '../deliveries/store.ts'
import { applyRetention } from '../events/retention.ts'
import { finishRemovals } from '../projects/remove-project.ts'
import { deleteResultsBefore } from '../results/store.ts'
import { pruneCache } from './app-cache.ts'
import { pruneRuns } from './claim-store.ts'
import { pruneLogs } from './log-store.ts'
import { DAYS_KEPT, pruneMetrics } from './metrics.ts'

/** Forgets what nobody needs any more. Any number of workers may do it at once. */
export async function tidyUp(db: Db, events: EventStore): Promise<void> {
  await pruneRuns(db, inSeconds(-DAYS_KEPT * 24 * 3600))
  await pruneDeliveries(db, inSeconds(-DAYS_KEPT * 24 * 3600))
  await pruneLogs(db)
  await pruneMetrics(db)
  await pruneCache(db)
  await deleteResultsBefore(db, inSeconds(-DAYS_KEPT * 24 * 3600))
  await applyRetention(db, events)
  await finishRemovals(db, events)
}
