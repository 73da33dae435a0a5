import { sql } from 'kysely'
import type { Tx } from '#server/db/schema.ts'
import { type EventBatch, toChunks } from '../event-batch.ts'
import type { EventRow } from '../event-row.ts'

/** Inserts the events that are not stored yet, in chunks, because the client writes a statement on the main thread. */
export async function insertEvents(tx: Tx, batch: EventBatch): Promise<void> {
  const fresh = await insertKeys(tx, batch)
  for (const chunk of toChunks(batch)) {
    // deleted as it is inserted, or an event that occurs twice would be inserted twice
    const rows = chunk.filter((row) => fresh.delete(toKey(row.projectId, row.uuid)))
    if (rows.length > 0) await insertRows(tx, rows)
  }
}

/**
 * Inserts the keys of all events and returns the new ones. In the order of the keys: two servers that have some events
 * in common then wait, and never for each other.
 */
async function insertKeys(tx: Tx, batch: EventBatch): Promise<Set<string>> {
  const projects: number[] = []
  const uuids: string[] = []
  for (const slice of batch.slices()) {
    for (const { projectId, uuid } of slice) {
      projects.push(projectId)
      uuids.push(uuid)
    }
  }
  const { rows } = await sql<{ project_id: number; uuid: string }>`
    insert into event_keys (project_id, uuid)
    select distinct project_id, uuid
    from unnest(${projects}::bigint[], ${uuids}::uuid[]) as given (project_id, uuid)
    order by project_id, uuid
    on conflict do nothing
    returning project_id, uuid`.execute(tx)
  return new Set(rows.map(({ project_id, uuid }) => toKey(project_id, uuid)))
}

const toKey = (projectId: number, uuid: string): string => `${projectId} ${uuid}`

async function insertRows(tx: Tx, rows: readonly EventRow[]): Promise<void> {
  await sql`
    insert into events (project_id, uuid, event, distinct_id, timestamp, properties, created_at, whole)
    select project_id, uuid, event, distinct_id, timestamp, properties::jsonb, ${new Date()}, whole
    from unnest(
      ${rows.map((row) => row.projectId)}::bigint[],
      ${rows.map((row) => row.uuid)}::uuid[],
      ${rows.map((row) => row.event)}::text[],
      ${rows.map((row) => row.distinct_id)}::text[],
      ${rows.map(toTime)}::timestamptz[],
      ${rows.map((row) => row.properties)}::text[],
      ${rows.map((row) => row.fullProperties)}::text[]
    ) as given (project_id, uuid, event, distinct_id, timestamp, properties, whole)`.execute(tx)
}

const toTime = ({ timestamp }: EventRow): string => new Date(timestamp).toISOString()
