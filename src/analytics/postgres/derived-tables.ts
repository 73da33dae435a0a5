import { sql } from 'kysely'
import type { Tx } from '#server/db/schema.ts'
import type { DerivedTables, EventsToDelete } from '../derive/derived-tables.ts'
import { toSqlTables } from '../derive/sql/derived-tables.ts'
import type { PropertyMatch } from '../event-store.ts'
import type { Sql } from '../event-table.ts'
import { DERIVED_TABLES } from '../project-tables.ts'
import { readStep } from './derive-step.ts'
import { toRunner } from './runner.ts'
import { takeNumbers } from './sequence.ts'

/** The caller holds the lock of the persons that the transaction changes. */
export const toDerivedTables = (tx: Tx): DerivedTables => ({
  ...toSqlTables(toRunner(tx), ['facts']),
  async takePlace() {
    const { numbers, areIdentified } = await takeNumbers(tx, 1)
    return areIdentified ? numbers[0] : undefined
  },
  deleteEvents: (selection) => deleteEvents(tx, toCondition(selection)),
  deleteMatching: (projectId, match) => deleteMatching(tx, projectId, match),
  async restoreKept() {
    await sql.raw(`truncate ${DERIVED_TABLES.join()}`).execute(tx)
    // types of groups stay, and those that were refused
    await sql`delete from identity_warnings where type <> 'group_type_limit_exceeded'`.execute(tx)
    for (const table of DERIVED_TABLES) {
      await sql.raw(`insert into ${table} select * from ${table}_base`).execute(tx)
    }
    await sql`create index if not exists facts_by_seq on facts (seq)`.execute(tx)
  },
  async findMark() {
    const { rows } = await sql<{ mark: number | null }>`
      select persons_up_to as mark from event_store`.execute(tx)
    return rows[0]?.mark ?? undefined
  },
  async setMark(seq) {
    await sql`update event_store set persons_up_to = ${seq}`.execute(tx)
  },
  readStep: (after) => readStep(tx, after),
})

function toCondition({ projectId, ids, before }: EventsToDelete): Sql {
  const conditions = [
    sql`project_id = ${projectId}`,
    ...(ids ? [sql`distinct_id = any(${ids}::text[])`] : []),
    ...(before ? [sql`timestamp < ${before}`] : []),
  ]
  return sql.join(conditions, sql` and `)
}

/** Deletes keys too, or a deleted event could not be stored again. */
async function deleteEvents(tx: Tx, which: Sql): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone as (
      delete from events where ${which} returning project_id, event, timestamp, uuid
    ), keys as (
      delete from event_keys using gone
      where event_keys.project_id = gone.project_id and event_keys.uuid = gone.uuid
    ), facts as (
      delete from facts using gone
      where facts.project_id = gone.project_id and facts.event = gone.event and facts.timestamp = gone.timestamp
        and facts.uuid = gone.uuid
    )
    select count(*) as count from gone`.execute(tx)
  return rows[0]?.count ?? 0
}

async function deleteMatching(tx: Tx, projectId: number, { key, value }: PropertyMatch) {
  const which = sql`project_id = ${projectId} and jsonb_extract_path_text(properties, ${key}::text) = ${value}`
  const { rows } = await sql<{ id: string }>`
    select distinct distinct_id as id from events where ${which}`.execute(tx)
  return { deleted: await deleteEvents(tx, which), ids: rows.map(({ id }) => id) }
}
