import { sql } from 'kysely'
import { toStoredText } from '#server/analytics/event-row.ts'
import type {
  EventFilter,
  EventKey,
  EventStore,
  StoredEvent,
} from '#server/analytics/event-store.ts'
import type { EventTable, RequiredColumns, Sql } from '#server/analytics/event-table.ts'
import { and } from '#server/analytics/queries/filters.ts'

/** An event may have a megabyte: a page is read in batches and ends early if it gets large. */
export const BATCH_SIZE = 100
export const MAX_PAGE_SIZE = 16 * 1024 * 1024

/** A condition on events, and the columns that it reads. */
export interface EventCondition extends RequiredColumns {
  matches(table: EventTable): Sql
}

export interface EventSlice {
  readonly results: readonly StoredEvent[]
  readonly hasMore: boolean
}

interface EventMatch {
  readonly filter: Omit<EventFilter, 'arrivedAfter'>
  readonly condition: EventCondition
  readonly signal?: AbortSignal | undefined
}

/** Lists the events that meet a filter and a condition, newest first. */
export async function listMatchingEvents(
  store: EventStore,
  projectId: number,
  { filter, ...match }: EventMatch,
): Promise<EventSlice> {
  const { limit } = filter
  const keys = await listEventKeys(store, projectId, {
    ...match,
    filter: { ...filter, limit: limit + 1 },
  })
  const { events, read } = await readEvents(store, projectId, keys.slice(0, limit))
  return { results: events, hasMore: keys.length > read }
}

/** Names the events that meet a filter and a condition, newest first. */
export async function listEventKeys(
  store: EventStore,
  projectId: number,
  { filter, condition: { matches, ...required }, signal }: EventMatch,
): Promise<EventKey[]> {
  const rows = await store.query(projectId, {
    ...required,
    signal,
    toSql: (table) => sql`select e.uuid::text as uuid, ${table.milliseconds}::double precision as ms
      from ${table.rows} e where ${and([...toConditions(filter), matches(table)])}
      order by e.timestamp desc, e.uuid desc
      limit ${sql.lit(filter.limit)} offset ${sql.lit(filter.offset)}`,
  })
  return rows.map(({ uuid, ms }) => ({
    uuid: uuid as string,
    timestamp: new Date(ms as number).toISOString(),
  }))
}

function toConditions(filter: Partial<EventFilter>): Sql[] {
  const { keys, event, distinctId, person, after, before } = filter
  return [
    ...(keys === undefined ? [] : [isOneOf(keys)]),
    ...(event === undefined ? [] : [sql`e.event = ${toStoredText(event)}::text`]),
    ...(distinctId === undefined ? [] : [sql`e.distinct_id = ${toStoredText(distinctId)}::text`]),
    ...(person === undefined ? [] : [sql`e.person = ${sql.lit(person)}`]),
    ...(after === undefined ? [] : [sql`e.timestamp > ${after}::timestamptz`]),
    ...(before === undefined ? [] : [sql`e.timestamp < ${before}::timestamptz`]),
  ]
}

/** The times narrow the search. */
function isOneOf(keys: readonly EventKey[]): Sql {
  const times = keys.map(({ timestamp }) => timestamp).toSorted()
  const uuids = sql.join(keys.map(({ uuid }) => sql`${uuid}::uuid`))
  return sql`(e.uuid in (${uuids}) and e.timestamp >= ${times[0]}::timestamptz
    and e.timestamp <= ${times.at(-1)}::timestamptz)`
}

/** Reads events in the order of their keys, and says how many of the keys it got to. */
export async function readEvents(
  store: EventStore,
  projectId: number,
  keys: readonly EventKey[],
): Promise<{ readonly events: readonly StoredEvent[]; readonly read: number }> {
  const events: StoredEvent[] = []
  let [read, size] = [0, 0]
  while (read < keys.length && size < MAX_PAGE_SIZE) {
    const batch = keys.slice(read, read + BATCH_SIZE)
    const found = await store.list(projectId, { keys: batch, limit: batch.length, offset: 0 })
    const byUuid = new Map(found.map((event) => [event.uuid, event]))
    events.push(...batch.flatMap(({ uuid }) => byUuid.get(uuid) ?? []))
    size += found.reduce((sum, { properties }) => sum + properties.length, 0)
    read += batch.length
  }
  return { events, read }
}
