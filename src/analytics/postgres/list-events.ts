import { sql } from 'kysely'
import type { Db } from '#server/db/schema.ts'
import { toConditions } from '../event-filter.ts'
import type { EventFilter, EventKey, StoredEvent } from '../event-store.ts'
import type { Sql } from '../event-table.ts'

interface Row extends Pick<StoredEvent, 'uuid' | 'event' | 'distinct_id' | 'properties'> {
  readonly timestamp: Date
  readonly created_at: Date
}

const isOneOf = (keys: readonly EventKey[]): Sql =>
  sql`(timestamp, uuid) in (select * from unnest(
    ${keys.map(({ timestamp }) => timestamp)}::timestamptz[], ${keys.map(({ uuid }) => uuid)}::uuid[]))`

export async function listEvents(
  db: Db,
  projectId: number,
  filter: EventFilter,
): Promise<StoredEvent[]> {
  const { rows } = await sql<Row>`
    select uuid, event, distinct_id, timestamp, coalesce(whole, properties::text) as properties, created_at
    from events where ${toConditions(sql`project_id = ${projectId}`, filter, isOneOf)}
    order by timestamp desc, uuid desc limit ${filter.limit} offset ${filter.offset}`.execute(db)
  return rows.map((row) => ({
    ...row,
    timestamp: row.timestamp.toISOString(),
    created_at: row.created_at.toISOString(),
  }))
}
