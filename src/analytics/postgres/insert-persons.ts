import { sql } from 'kysely'
import { toPlainArray, toTextArray } from '#server/db/array-text.ts'
import type { Tx } from '#server/db/schema.ts'
import { chunksOf } from '#server/db/values.ts'
import { toCanonicalTime } from '../canonical-time.ts'
import { MAX_CHUNK_ROWS } from '../event-batch.ts'
import { PERSON_UUID } from '../identity/person-uuid.ts'
import type { Arrival } from './arrivals.ts'

/** A distinct ID of a batch, and what its events say about it. */
export interface ArrivedId extends Pick<Arrival, 'projectId' | 'distinctId' | 'timestamp'> {
  /** The number of its first event, which a new person gets. */
  readonly number: number
  hasProfile: boolean
  /** The number of its person, 0 if it has none. */
  person: number
}

/** Returns the ID of each event; events with the same ID share one object. `numbers` are the numbers of the events. */
export function toArrivedIds(
  arrivals: readonly Arrival[],
  numbers: readonly number[],
): ArrivedId[] {
  const ids = new Map<string, ArrivedId>()
  return arrivals.map(({ projectId, distinctId, timestamp, isPersonless }, index) => {
    const key = `${projectId} ${distinctId}`
    const known = ids.get(key)
    if (known) {
      known.hasProfile ||= !isPersonless
      return known
    }
    const number = numbers[index] as number
    const id = { projectId, distinctId, timestamp, number, hasProfile: !isPersonless, person: 0 }
    ids.set(key, id)
    return id
  })
}

/** Gives each new ID of events a person. */
export async function insertArrivedPersons(
  tx: Tx,
  arrivals: readonly Arrival[],
  numbers: readonly number[],
): Promise<void> {
  const ids = [...new Set(toArrivedIds(arrivals, numbers))]
  await findPersons(tx, ids)
  await insertPersons(tx, ids)
}

/** Sets the persons of IDs that have one. */
export async function findPersons(tx: Tx, ids: readonly ArrivedId[]): Promise<void> {
  for (const chunk of chunksOf(ids, MAX_CHUNK_ROWS)) {
    // a subquery, because PostgreSQL might read all IDs for a join; one text, because the client takes long for many rows
    const { rows } = await sql<{ persons: string }>`
      select array_agg((
        select person from person_ids known
        where known.project_id = given.project_id and known.distinct_id = given.distinct_id
      ) order by place)::text as persons
      from unnest(
        ${toPlainArray(chunk.map(({ projectId }) => projectId))}::bigint[],
        ${toTextArray(chunk.map(({ distinctId }) => distinctId))}::text[]
      ) with ordinality as given (project_id, distinct_id, place)`.execute(tx)
    const persons = rows[0]?.persons.slice(1, -1).split(',') ?? []
    for (const [index, id] of chunk.entries()) id.person = Number(persons[index]) || 0
  }
}

/** Gives each ID without a person a new one, and persons a profile. */
export async function insertPersons(tx: Tx, ids: readonly ArrivedId[]): Promise<void> {
  const withProfile = ids.filter(({ person, hasProfile }) => person !== 0 && hasProfile)
  // sorted, so that two servers with common new IDs cannot deadlock
  const fresh = ids.filter(({ person }) => person === 0).sort(byId)
  for (const chunk of chunksOf(fresh, MAX_CHUNK_ROWS)) {
    if ((await insertChunk(tx, chunk)) === chunk.length) {
      for (const id of chunk) id.person = id.number
    } else {
      await findPersons(tx, chunk) // another server was faster
      withProfile.push(...chunk.filter(({ hasProfile }) => hasProfile))
    }
  }
  await addProfiles(tx, withProfile)
}

/** Returns how many of the IDs were new. */
async function insertChunk(tx: Tx, ids: readonly ArrivedId[]): Promise<number> {
  const { numAffectedRows } = await sql`
    with given as materialized (
      select * from unnest(
        ${toPlainArray(ids.map(({ projectId }) => projectId))}::bigint[],
        ${toTextArray(ids.map(({ distinctId }) => distinctId))}::text[],
        ${toPlainArray(ids.map(({ number }) => number))}::bigint[],
        ${toPlainArray(ids.map(({ timestamp }) => toCanonicalTime(timestamp)))}::timestamptz[],
        ${toPlainArray(ids.map(({ hasProfile }) => hasProfile))}::boolean[]
      ) with ordinality as given (project_id, distinct_id, number, created_at, has_profile, place)
    ), fresh as (
      insert into person_ids (project_id, distinct_id, person)
      select project_id, distinct_id, number from given order by place
      on conflict do nothing
      returning person
    )
    insert into persons (project_id, number, uuid, created_at, has_profile, is_identified, properties)
    select project_id, number, ${sql.raw(PERSON_UUID)}, created_at, has_profile, false, '{}'
    from given join fresh on person = number, md5(project_id || ':' || distinct_id) as hash`.execute(
    tx,
  )
  return Number(numAffectedRows)
}

async function addProfiles(tx: Tx, ids: readonly ArrivedId[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update persons set has_profile = true where number in (
      select number from persons
      where not has_profile and number = any(${toPlainArray(ids.map(({ person }) => person))}::bigint[])
      order by number for update
    )`.execute(tx)
}

const byId = (one: ArrivedId, other: ArrivedId): number =>
  one.projectId - other.projectId || (one.distinctId < other.distinctId ? -1 : 1)
