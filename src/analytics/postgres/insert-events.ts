import { type RawBuilder, sql } from 'kysely'
import { toPlainArray, toTextArray } from '#server/db/array-text.ts'
import type { Tx } from '#server/db/schema.ts'
import { chunksOf } from '#server/db/values.ts'
import { type EventBatch, MAX_CHUNK_ROWS, toChunks } from '../event-batch.ts'
import type { EventRow } from '../event-row.ts'
import { type Arrival, changePersons, insertPersons, type NumberedEvent } from './arrivals.ts'
import { addTypes, changeGroups, findProjectsWithNewTypes } from './change-groups.ts'
import { toGroupInsert } from './group-keys-sql.ts'
import { type HotProperties, readHotProperties, toHotInsert } from './hot-properties.ts'
import { lockPersons } from './locks.ts'
import { takeNumbers } from './sequence.ts'

/**
 * Inserts the events that are not stored yet and returns which these are. Inserts in chunks, because the client writes
 * a statement on the main thread. `arrivals` are those of the batch.
 */
export async function insertEvents(
  tx: Tx,
  batch: EventBatch,
  arrivals: readonly Arrival[],
): Promise<boolean[]> {
  const fresh = await insertKeys(tx, arrivals)
  const newArrivals = arrivals.filter((_, index) => fresh[index])
  if (newArrivals.length === 0) return fresh
  const withNewTypes = await findProjectsWithNewTypes(tx, newArrivals)
  await lockPersons(tx, toLocks(newArrivals, withNewTypes))
  const { numbers, areIdentified } = await takeNumbers(tx, newArrivals.length)
  if (areIdentified) await insertPersons(tx, newArrivals, numbers)
  await addTypes(tx, newArrivals, numbers)
  const hot = await readHotProperties(tx)
  let inserting: Promise<unknown> = Promise.resolve()
  let index = 0
  let place = 0
  for (const chunk of toChunks(batch)) {
    const rows: NumberedRow[] = []
    for (const row of chunk) {
      if (fresh[index++]) {
        rows.push({ row, seq: numbers[place] as number, arrival: newArrivals[place] as Arrival })
        place++
      }
    }
    if (rows.length === 0) continue
    const insert = toInsert(hot, rows) // while PostgreSQL inserts the rows before
    await inserting
    if (areIdentified) {
      await changePersons(tx, rows)
      await changeGroups(tx, rows)
    }
    inserting = insert.execute(tx)
    inserting.catch(() => {}) // it is awaited later
  }
  await inserting
  return fresh
}

/**
 * Inserts the keys of all events and returns which are new; of an event that occurs twice, the first. Inserts in key
 * order, so that two servers with common events cannot deadlock.
 */
async function insertKeys(tx: Tx, arrivals: readonly Arrival[]): Promise<boolean[]> {
  const fresh = new Set<string>()
  for (const chunk of chunksOf(arrivals.toSorted(byKey), MAX_CHUNK_ROWS)) {
    const { rows } = await sql<{ project_id: number; uuid: string }>`
      insert into event_keys (project_id, uuid)
      select distinct project_id, uuid
      from unnest(
        ${toPlainArray(chunk.map(({ projectId }) => projectId))}::bigint[],
        ${toPlainArray(chunk.map(({ uuid }) => uuid))}::uuid[]
      ) as given (project_id, uuid)
      order by project_id, uuid
      on conflict do nothing
      returning project_id, uuid`.execute(tx)
    for (const { project_id, uuid } of rows) fresh.add(toKey(project_id, uuid))
  }
  return arrivals.map(({ projectId, uuid }) => fresh.delete(toKey(projectId, uuid)))
}

const byKey = (one: Arrival, other: Arrival): number =>
  one.projectId - other.projectId || (one.uuid < other.uuid ? -1 : 1)

const toKey = (projectId: number, uuid: string): string => `${projectId} ${uuid}`

function toLocks(
  arrivals: readonly Arrival[],
  withNewTypes: ReadonlySet<number>,
): Map<number, 'shared' | 'exclusive'> {
  const locks = new Map<number, 'shared' | 'exclusive'>()
  for (const { projectId, mayChangePerson, changesGroup } of arrivals) {
    if (mayChangePerson || changesGroup || withNewTypes.has(projectId))
      locks.set(projectId, 'exclusive')
    else if (!locks.has(projectId)) locks.set(projectId, 'shared')
  }
  return locks
}

interface NumberedRow extends NumberedEvent {
  readonly row: EventRow
  /** The time of arrival of an event from a backup. */
  readonly createdAt?: string
}

export const insertRows = (
  tx: Tx,
  hot: HotProperties,
  rows: readonly NumberedRow[],
): Promise<unknown> => toInsert(hot, rows).execute(tx)

/** During a rebuild, a new event has the person 0 until the rebuild reaches it. */
function toInsert(hot: HotProperties, rows: readonly NumberedRow[]): RawBuilder<unknown> {
  const { names, values } = toHotInsert(hot, 'properties')
  const hasGroups = rows.some(({ arrival }) => arrival.groupTypes.length > 0)
  const groups = toGroupInsert(hasGroups, 'properties')
  const createdAt = toPlainArray(rows.map(({ createdAt }) => createdAt ?? 'NULL'))
  return sql`
    with given as materialized (
      select project_id, seq, uuid, event, distinct_id, timestamp, properties::jsonb as properties, whole, is_personless,
        may_change_person, arrived
      from unnest(
        ${toPlainArray(rows.map(({ row }) => row.projectId))}::bigint[],
        ${toPlainArray(rows.map(({ seq }) => seq))}::bigint[],
        ${toPlainArray(rows.map(({ row }) => row.uuid))}::uuid[],
        ${toTextArray(rows.map(({ row }) => row.event))}::text[],
        ${toTextArray(rows.map(({ row }) => row.distinct_id))}::text[],
        ${toPlainArray(rows.map(({ row }) => new Date(row.timestamp).toISOString()))}::timestamptz[],
        ${toTextArray(rows.map(({ row }) => row.properties))}::text[],
        ${toTextArray(rows.map(({ row }) => row.fullProperties))}::text[],
        ${toPlainArray(rows.map(({ arrival }) => arrival.isPersonless))}::boolean[],
        ${toPlainArray(rows.map(({ arrival }) => arrival.mayChangePerson))}::boolean[],
        ${createdAt}::timestamptz[]
      ) as given (project_id, seq, uuid, event, distinct_id, timestamp, properties, whole, is_personless, may_change_person, arrived)
    ), stored as (
      insert into events (project_id, uuid, event, distinct_id, timestamp, properties, created_at, whole)
      select project_id, uuid, event, distinct_id, timestamp, properties, coalesce(arrived, ${new Date()}), whole from given
    )
    insert into facts (project_id, seq, person, timestamp, uuid, event, distinct_id, is_personless, may_change_person${names}${groups.names})
    select project_id, seq, coalesce(person, 0), timestamp, uuid, event, distinct_id, is_personless, may_change_person${values}${groups.values}
    from given left join person_ids using (project_id, distinct_id) ${groups.join}`
}
