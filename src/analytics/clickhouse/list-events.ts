import { sql } from 'kysely'
import { toConditions } from '../event-filter.ts'
import type { EventFilter, EventKey, StoredEvent } from '../event-store.ts'
import type { Sql } from '../event-table.ts'
import type { ClickHouse } from './connection.ts'
import { type EventState, toVisible } from './event-table.ts'
import { unmarkLongNumbers } from './long-numbers.ts'
import { translateEventCondition } from './translate.ts'

interface Row extends Omit<StoredEvent, 'timestamp' | 'created_at'> {
  readonly time: number
  readonly arrived: number
}

/** Compares the times too, by which ClickHouse skips most of the table. */
const isOneOf = (keys: readonly EventKey[]): Sql =>
  sql`uuid in (${sql.join(keys.map(({ uuid }) => sql`${uuid}::uuid`))})
    and timestamp in (${sql.join(keys.map(({ timestamp }) => sql`${timestamp}::timestamptz`))})`

export async function listEvents(
  { read }: ClickHouse,
  projectId: number,
  state: Pick<EventState, 'deletions'>,
  filter: EventFilter,
): Promise<StoredEvent[]> {
  if (filter.keys?.length === 0) return []
  const which = await translateEventCondition(
    toConditions(toVisible(projectId, state), filter, isOneOf),
  )
  // beginning with the day, the order is that of the table, so that ClickHouse reads the newest days only
  const rows = await read<Row>(`
    select toString(uuid) as uuid, event, distinct_id, timestamp as time, created_at as arrived,
      ifNull(whole, properties) as properties
    from events where ${which}
    order by intDiv(timestamp, 86400000) desc, timestamp desc, toString(events.uuid) desc
    limit ${filter.limit} offset ${filter.offset}`)
  return rows.map(({ time, arrived, properties, ...row }) => ({
    ...row,
    properties: unmarkLongNumbers(properties),
    timestamp: new Date(time).toISOString(),
    created_at: new Date(arrived).toISOString(),
  }))
}

export async function countEvents(
  { read }: ClickHouse,
  projectId: number,
  state: Pick<EventState, 'deletions'>,
): Promise<number> {
  const which = await translateEventCondition(toVisible(projectId, state))
  const [row] = await read<{ count: number }>(
    `select toInt64(count()) as count from events where ${which}`,
  )
  return row?.count ?? 0
}
