import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/schema.ts'
import { addFactsOf, EVENTS_WITHOUT_FACTS, type OldEvent, STEP } from './catch-up-facts.ts'
import { toGroupInsert } from './group-keys-sql.ts'
import { lockAllPersons } from './locks.ts'
import { readMaterialized, toMaterializedInsert } from './materialized-columns.ts'

/**
 * Rebuilds `facts` from `events`. Only facts know the order of arrival, so events keep the number that they have there,
 * and events without one become the newest. Persons must be derived again afterwards.
 */
export async function rebuildFacts(db: Db): Promise<void> {
  await db.transaction().execute(replaceFacts)
  while ((await db.transaction().execute(addMissing)) > 0);
  await sql`
    insert into event_keys select project_id, uuid from events on conflict do nothing`.execute(db)
}

async function replaceFacts(tx: Tx): Promise<void> {
  await lockAllPersons(tx)
  await sql`
    create temp table numbers on commit drop as
    select distinct on (project_id, timestamp, uuid)
      project_id, timestamp, uuid, seq, is_personless, may_change_person
    from facts order by project_id, timestamp, uuid, seq`.execute(tx)
  await sql`truncate facts`.execute(tx)
  const materialized = toMaterializedInsert(await readMaterialized(tx), 'events.properties')
  const groups = toGroupInsert(true, 'events.properties')
  await sql`
    insert into facts (project_id, seq, person, timestamp, uuid, event, distinct_id, is_personless, may_change_person${materialized.names}${groups.names})
    select project_id, seq, coalesce(person, 0), timestamp, uuid, event, distinct_id, is_personless, may_change_person${materialized.values}${groups.values}
    from events join numbers using (project_id, timestamp, uuid)
    left join person_ids using (project_id, distinct_id)
    ${groups.join}
    order by seq`.execute(tx)
}

/** Returns the number of events that had no facts. */
async function addMissing(tx: Tx): Promise<number> {
  await lockAllPersons(tx)
  const { rows } = await sql<OldEvent>`
    ${EVENTS_WITHOUT_FACTS} from events
    where not exists (
      select from facts where facts.project_id = events.project_id
        and facts.timestamp = events.timestamp and facts.uuid = events.uuid
    )
    order by created_at limit ${sql.lit(STEP)}`.execute(tx)
  if (rows.length > 0) await addFactsOf(tx, rows)
  return rows.length
}
