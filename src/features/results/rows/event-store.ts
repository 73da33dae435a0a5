import { sql } from 'kysely'
import type { EventKey, StoredEvent } from '#server/analytics/event-store.ts'
import type { ActorSet } from '#server/analytics/queries/actors.ts'
import { toList } from '#server/analytics/queries/cohorts.ts'
import type { PageRange } from '#server/db/page-range.ts'
import { readEvents } from '#server/features/events/events/matching-store.ts'
import { type PersonRow, readPersons } from '#server/features/events/person-rows/store.ts'
import type { ActorRun } from './actor-store.ts'
import type { PointEvent } from './event-columns.ts'

/** The events of a set, with a statement that selects them. */
export type EventSet = ActorSet & Required<Pick<ActorSet, 'toEvents'>>

export interface EventOrder extends PageRange {
  readonly isOldestFirst: boolean
}

const MAX_IDS = 10

/** Lists one page of events with their persons, and whether there are more. */
export async function listEventPage(
  run: ActorRun,
  set: EventSet,
  order: EventOrder,
): Promise<{ readonly rows: readonly PointEvent[]; readonly hasMore: boolean }> {
  const keys = await listKeys(run, set, { ...order, limit: order.limit + 1 })
  const wanted = keys.slice(0, order.limit)
  const { events, read } = await readEvents(run.store, run.projectId, wanted)
  const persons = await readPersonsByDistinctId(run, events)
  return {
    rows: events.flatMap((event) => {
      const person = persons.get(event.distinct_id)
      return person ? [{ event, person }] : [] // deleted in the meantime
    }),
    hasMore: keys.length > read,
  }
}

async function listKeys(
  { store, projectId, timeoutMs, signal }: ActorRun,
  { toSql: _, toEvents, ...required }: EventSet,
  { isOldestFirst, limit, offset }: EventOrder,
): Promise<readonly EventKey[]> {
  const direction = sql.raw(isOldestFirst ? 'asc' : 'desc')
  const rows = await store.query(projectId, {
    ...required,
    ...(timeoutMs && { timeoutMs }),
    signal,
    toSql: (table) => sql`select uuid::text as uuid, ms::double precision as ms
      from (${toEvents(table)}) events
      order by events.ms ${direction}, events.uuid ${direction}
      limit ${sql.lit(limit)} offset ${sql.lit(offset)}`,
  })
  return rows.map(({ uuid, ms }) => ({
    uuid: uuid as string,
    timestamp: new Date(ms as number).toISOString(),
  }))
}

/** Reads the persons of events by distinct ID. */
async function readPersonsByDistinctId(
  { store, projectId }: ActorRun,
  events: readonly StoredEvent[],
): Promise<ReadonlyMap<string, PersonRow>> {
  const distinctIds = [...new Set(events.map(({ distinct_id }) => distinct_id))]
  const rows = await store.query(projectId, {
    properties: [],
    toSql: (table) => sql`select i.distinct_id, i.person::double precision as person
      from ${table.personIds} i where i.distinct_id in (${toList(distinctIds)})`,
  })
  const numbers = [...new Set(rows.map(({ person }) => person as number))]
  const persons = await readPersons(store, projectId, numbers, MAX_IDS)
  const byNumber = new Map(persons.map((person) => [person.number, person]))
  return new Map(
    rows.flatMap(({ distinct_id, person }) => {
      const found = byNumber.get(person as number)
      return found ? [[distinct_id as string, found] as const] : []
    }),
  )
}
