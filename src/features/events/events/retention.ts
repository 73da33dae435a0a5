import type { EventStore } from '#server/analytics/event-store.ts'
import type { Db } from '#server/db/schema.ts'
import { listProjectsWithRetention } from '#server/features/accounts/projects/store.ts'

const DAY_MS = 86_400_000

/** Deletes events past the retention of their project, and returns how many. */
export async function applyRetention(db: Db, events: EventStore): Promise<number> {
  let deleted = 0
  for (const { id, retention_days } of await listProjectsWithRetention(db)) {
    const oldest = new Date(Date.now() - retention_days * DAY_MS)
    deleted += await events.deleteBefore(id, oldest.toISOString())
  }
  return deleted
}
