import { sql } from 'kysely'
import type { Db } from '#server/db/schema.ts'
import { toStoredText } from '../event-row.ts'
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
  { keys, event, distinctId, person, after, before, arrivedAfter, limit, offset }: EventFilter,
): Promise<StoredEvent[]> {
  const conditions = [
    sql`project_id = ${projectId}`,
    ...(keys === undefined ? [] : [isOneOf(keys)]),
    ...(event === undefined ? [] : [sql`event = ${toStoredText(event)}`]),
    ...(distinctId === undefined ? [] : [sql`distinct_id = ${toStoredText(distinctId)}`]),
    ...(person === undefined
      ? []
      : [sql`distinct_id in (select distinct_id from person_ids where person = ${person})`]),
    ...(after === undefined ? [] : [sql`timestamp > ${after}`]),
    ...(before === undefined ? [] : [sql`timestamp < ${before}`]),
    ...(arrivedAfter === undefined ? [] : [sql`created_at > ${arrivedAfter}`]),
  ]
  const { rows } = await sql<Row>`
    select uuid, event, distinct_id, timestamp, coalesce(whole, properties::text) as properties, created_at
    from events where ${sql.join(conditions, sql` and `)}
    order by timestamp desc, uuid desc limit ${limit} offset ${offset}`.execute(db)
  return rows.map((row) => ({
    ...row,
    timestamp: row.timestamp.toISOString(),
    created_at: row.created_at.toISOString(),
  }))
}
