import type { EventStore } from '#server/analytics/event-store.ts'
import type { Db } from '#server/db/schema.ts'

const DAY_MS = 86_400_000

/** Deletes what each project keeps no longer; returns how many events that were. */
export async function applyRetention(db: Db, events: EventStore): Promise<number> {
  const projects = await db
    .selectFrom('projects')
    .select(['id', 'retention_days'])
    .where('retention_days', 'is not', null)
    .orderBy('id')
    .execute()
  let deleted = 0
  for (const { id, retention_days } of projects) {
    const oldest = new Date(Date.now() - Number(retention_days) * DAY_MS)
    deleted += await events.deleteBefore(id, oldest.toISOString())
  }
  return deleted
}
