import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/schema.ts'
import { EVENTS_WITHOUT_FACTS, insertFacts, type OldEvent, storeFacts } from './catch-up-facts.ts'
import { STEP } from './derive-step.ts'
import { lockAllPersons } from './locks.ts'

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
  await insertFacts(tx, sql`events join numbers using (project_id, timestamp, uuid)`, true)
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
  if (rows.length > 0) await storeFacts(tx, rows)
  return rows.length
}
