import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/schema.ts'
import type { Sql } from '../event-table.ts'
import { type Arrival, changePersons, toArrival } from './arrivals.ts'
import { addTypes, changeGroups } from './change-groups.ts'
import { STEP } from './derive-step.ts'
import { toGroupInsert } from './group-keys-sql.ts'
import { insertArrivedPersons } from './insert-persons.ts'
import { lockAllPersons } from './locks.ts'
import { readMaterialized, toMaterializedInsert } from './materialized-columns.ts'
import { takeNumbers } from './sequence.ts'
import { createPartition, listMonths } from './tables.ts'

/** Stores the facts and persons of events that a version without them has stored, in their order of arrival. */
export async function catchUpFacts(db: Db, onStep: (events: number) => void): Promise<void> {
  if (!(await isBehind(db))) return
  for (const month of await listMonths(db)) await createPartition(db, month)
  await db.transaction().execute(async (tx) => {
    await lockAllPersons(tx) // two servers that create an index at once fail, even with "if not exists"
    await sql`create index if not exists events_by_arrival on events (created_at)`.execute(tx)
  })
  for (let count = STEP; count >= STEP; onStep(count)) {
    count = await db.transaction().execute(addFacts)
  }
  await sql`drop index if exists events_by_arrival`.execute(db)
}

const isBehind = async (db: Db): Promise<boolean> => {
  const { rows } = await sql`select 1 from event_store where facts_up_to is not null`.execute(db)
  return rows.length > 0
}

export interface OldEvent {
  readonly project_id: number
  readonly uuid: string
  readonly event: string
  readonly distinct_id: string
  readonly timestamp: Date
  readonly properties: string
  readonly arrived: string
}

/** Selects what `storeFacts` needs. Properties that change no person are left out, because they are large. */
export const EVENTS_WITHOUT_FACTS = sql`
  select project_id, uuid, event, distinct_id, timestamp, created_at::text as arrived,
    case when event like '$%' or properties ?| array['$set', '$set_once', '$unset', '$process_person_profile', '$groups']
      then properties::text else '{}' end as properties`

/** Returns the number of events, at least `STEP` unless there are no more. */
async function addFacts(tx: Tx): Promise<number> {
  await lockAllPersons(tx)
  if (!(await isBehind(tx))) return 0 // another server was faster
  const { rows } = await sql<OldEvent>`
    ${EVENTS_WITHOUT_FACTS} from events, event_store where created_at > facts_up_to
    order by created_at fetch first ${sql.lit(STEP)} rows with ties`.execute(tx)
  if (rows.length > 0) await storeFacts(tx, rows)
  const last = rows.length < STEP ? null : rows.at(-1)?.arrived
  await sql`update event_store set facts_up_to = ${last}::timestamptz`.execute(tx)
  await sql`update event_versions set version = version + 1`.execute(tx)
  return rows.length
}

/** Numbers events as the newest, and stores their persons, groups and facts. */
export async function storeFacts(tx: Tx, rows: readonly OldEvent[]): Promise<void> {
  const arrivals = rows.map((row) =>
    toArrival({
      ...row,
      projectId: row.project_id,
      timestamp: row.timestamp.getTime(),
      fullProperties: null,
    }),
  )
  const { numbers } = await takeNumbers(tx, arrivals.length)
  await insertArrivedPersons(tx, arrivals, numbers)
  await addTypes(tx, arrivals, numbers)
  const numbered = rows.map((row, index) => ({
    row,
    arrival: arrivals[index] as Arrival,
    seq: numbers[index] as number,
  }))
  await changePersons(tx, numbered, ['facts'])
  await changeGroups(tx, numbered)
  const source = sql`unnest(
      ${numbers}::bigint[],
      ${arrivals.map(({ projectId }) => projectId)}::bigint[],
      ${arrivals.map(({ uuid }) => uuid)}::uuid[],
      ${arrivals.map(({ isPersonless }) => isPersonless)}::boolean[],
      ${arrivals.map(({ mayChangePerson }) => mayChangePerson)}::boolean[]
    ) as given (seq, project_id, uuid, is_personless, may_change_person)
    join (
      select * from events
      where created_at >= ${rows[0]?.arrived}::timestamptz and created_at <= ${rows.at(-1)?.arrived}::timestamptz
    ) events using (project_id, uuid)`
  const hasGroups = arrivals.some(({ groupTypes }) => groupTypes.length > 0)
  await insertFacts(tx, source, hasGroups)
}

/** Inserts facts with the persons of their IDs. `source` joins `events` with the other columns of facts. */
export async function insertFacts(tx: Tx, source: Sql, hasGroups: boolean): Promise<void> {
  const { names, values } = toMaterializedInsert(await readMaterialized(tx), 'events.properties')
  const groups = toGroupInsert(hasGroups, 'events.properties')
  await sql`
    insert into facts (project_id, seq, person, timestamp, uuid, event, distinct_id, is_personless, may_change_person${names}${groups.names})
    select project_id, seq, coalesce(person, 0), timestamp, uuid, event, distinct_id, is_personless, may_change_person${values}${groups.values}
    from ${source} left join person_ids using (project_id, distinct_id) ${groups.join}
    order by seq`.execute(tx)
}
