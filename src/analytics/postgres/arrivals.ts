import { sql } from 'kysely'
import { toPlainArray, toTextArray } from '#server/db/array-text.ts'
import type { Tx } from '#server/db/schema.ts'
import { chunksOf } from '#server/db/values.ts'
import { type EventBatch, MAX_CHUNK_ROWS, toChunks } from '../event-batch.ts'
import type { EventRow } from '../event-row.ts'
import { readGroupTypes } from '../groups/group-event.ts'
import { GROUP_EVENT } from '../groups/group-keys.ts'
import { applyIdentityEvents } from '../identity/apply-identity-events.ts'
import {
  isPersonless,
  mayChangePerson,
  readPropertyTexts,
  toIdentityEvent,
} from '../identity/identity-event.ts'
import { PERSON_UUID } from '../identity/person-uuid.ts'
import { toPersonTables } from './person-tables.ts'

/** The part of each event of a batch that stays in memory: its person and groups. */
export interface Arrival {
  readonly projectId: number
  readonly uuid: string
  readonly distinctId: string
  readonly timestamp: number
  readonly isPersonless: boolean
  readonly mayChangePerson: boolean
  readonly changesGroup: boolean
  /** The types of groups that it names. */
  readonly groupTypes: readonly string[]
}

export const toArrival = ({
  projectId,
  uuid,
  event,
  distinct_id,
  timestamp,
  properties,
}: EventRow): Arrival => ({
  projectId,
  uuid,
  distinctId: distinct_id,
  timestamp,
  isPersonless: isPersonless(properties),
  mayChangePerson: mayChangePerson(event, properties),
  changesGroup: event === GROUP_EVENT,
  groupTypes: readGroupTypes(event, properties),
})

export async function readArrivals(batch: EventBatch): Promise<Arrival[]> {
  const arrivals: Arrival[] = []
  for (const chunk of toChunks(batch)) {
    if (arrivals.length > 0) await new Promise(setImmediate) // lets requests through
    for (const row of chunk) arrivals.push(toArrival(row))
  }
  return arrivals
}

/** An event with its place in the order of arrival. */
export interface NumberedEvent {
  readonly arrival: Arrival
  readonly seq: number
  readonly row: Pick<EventRow, 'event' | 'properties'>
}

/** Changes the persons of events, in their order of arrival. */
export const changePersons = (tx: Tx, events: readonly NumberedEvent[]): Promise<void> =>
  applyIdentityEvents(
    toPersonTables(tx),
    events
      .filter(({ arrival }) => arrival.mayChangePerson)
      .map(({ arrival, seq, row }) =>
        toIdentityEvent({ ...arrival, seq, event: row.event }, readPropertyTexts(row.properties)),
      ),
  )

/** Gives each new ID a person. `numbers` are the numbers of the events. */
export async function insertPersons(
  tx: Tx,
  arrivals: readonly Arrival[],
  numbers: readonly number[],
): Promise<void> {
  // sorted, so that two servers with common new IDs cannot deadlock
  const ids = toFirstArrivals(arrivals, numbers).sort(byId)
  for (const chunk of chunksOf(ids, MAX_CHUNK_ROWS)) await insertChunk(tx, chunk)
  const withProfile = ids.filter(({ hasProfile }) => hasProfile)
  if (withProfile.length === 0) return
  await sql`
    update persons set has_profile = true where number in (
      select number from persons where not has_profile and number in (
        select person from person_ids join unnest(
          ${toPlainArray(withProfile.map(({ projectId }) => projectId))}::bigint[],
          ${toTextArray(withProfile.map(({ distinctId }) => distinctId))}::text[]
        ) as given (project_id, distinct_id) using (project_id, distinct_id)
      ) order by number for update
    )`.execute(tx)
}

async function insertChunk(tx: Tx, ids: readonly FirstArrival[]): Promise<void> {
  await sql`
    with given as materialized (
      select * from unnest(
        ${toPlainArray(ids.map(({ projectId }) => projectId))}::bigint[],
        ${toTextArray(ids.map(({ distinctId }) => distinctId))}::text[],
        ${toPlainArray(ids.map(({ number }) => number))}::bigint[],
        ${toPlainArray(ids.map(({ timestamp }) => new Date(timestamp).toISOString()))}::timestamptz[],
        ${toPlainArray(ids.map(({ hasProfile }) => hasProfile))}::boolean[]
      ) with ordinality as given (project_id, distinct_id, number, created_at, has_profile, place)
    ), fresh as (
      insert into person_ids (project_id, distinct_id, person)
      select project_id, distinct_id, number from given
      where not exists (
        select from person_ids known
        where known.project_id = given.project_id and known.distinct_id = given.distinct_id
      )
      order by place
      on conflict do nothing
      returning person
    )
    insert into persons (project_id, number, uuid, created_at, has_profile, is_identified, properties)
    select project_id, number, ${sql.raw(PERSON_UUID)}, created_at, has_profile, false, '{}'
    from given join fresh on person = number, md5(project_id || ':' || distinct_id) as hash`.execute(
    tx,
  )
}

const byId = (one: FirstArrival, other: FirstArrival): number =>
  one.projectId - other.projectId || (one.distinctId < other.distinctId ? -1 : 1)

interface FirstArrival extends Pick<Arrival, 'projectId' | 'distinctId' | 'timestamp'> {
  readonly number: number
  hasProfile: boolean
}

function toFirstArrivals(arrivals: readonly Arrival[], numbers: readonly number[]): FirstArrival[] {
  const ids = new Map<string, FirstArrival>()
  for (const [index, { projectId, distinctId, timestamp, isPersonless }] of arrivals.entries()) {
    const key = `${projectId} ${distinctId}`
    const known = ids.get(key)
    if (known) known.hasProfile ||= !isPersonless
    else {
      const number = numbers[index] as number
      ids.set(key, { projectId, distinctId, timestamp, number, hasProfile: !isPersonless })
    }
  }
  return [...ids.values()]
}
