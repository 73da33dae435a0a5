import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/schema.ts'
import { toStoredText } from '../event-row.ts'
import type { PropertyMatch } from '../event-store.ts'
import type { Sql } from '../event-table.ts'
import { ID_TABLES, PERSONS_AND_IDS, PROJECT_TABLES } from '../project-tables.ts'
import { findPerson } from './edit-person.ts'
import { keepPersons } from './kept-persons.ts'
import { lockPersons } from './locks.ts'
import { incrementVersions } from './versions.ts'

/** Deletes the person of an ID with all its IDs and their events. */
export const deletePerson = (db: Db, projectId: number, id: string): Promise<number> =>
  deleteFrom(db, projectId, async (tx) => {
    const distinctId = toStoredText(id)
    const person = (await findPerson(tx, projectId, distinctId)) ?? 0
    const { rows } = await sql<{ id: string }>`
      select distinct_id as id from person_ids where person = ${person}`.execute(tx)
    const ids = [distinctId, ...rows.map(({ id }) => id)]
    const which = sql`project_id = ${projectId} and distinct_id = any(${ids}::text[])`
    await sql`
      delete from persons_base where number in (select person from person_ids_base where ${which})`.execute(
      tx,
    )
    await sql`delete from persons where number = ${person}`.execute(tx)
    for (const table of ID_TABLES) {
      await sql`delete from ${sql.table(table)} where ${which}`.execute(tx)
    }
    return deleteEvents(tx, which)
  })

/** Deletes the events before a time. Their persons stay. */
export const deleteBefore = (db: Db, projectId: number, time: string): Promise<number> =>
  deleteFrom(db, projectId, async (tx) => {
    const deleted = await deleteEvents(tx, sql`project_id = ${projectId} and timestamp < ${time}`)
    if (deleted > 0) await keepPersons(tx, projectId)
    return deleted
  })

export const deleteProject = (db: Db, projectId: number): Promise<number> =>
  deleteFrom(db, projectId, async (tx) => {
    const which = sql`project_id = ${projectId}`
    for (const table of PROJECT_TABLES) {
      await sql`delete from ${sql.table(table)} where ${which}`.execute(tx)
    }
    return deleteEvents(tx, which)
  })

/** Deletes the events with a text in a property, and the persons who have no other events. */
export const deleteByProperty = (
  db: Db,
  projectId: number,
  { key, value }: PropertyMatch,
): Promise<number> =>
  deleteFrom(db, projectId, async (tx) => {
    const ofProject = sql`project_id = ${projectId}`
    const matching = sql`${ofProject} and jsonb_extract_path_text(properties, ${key}::text) = ${value}`
    const { rows: before } = await sql<{ id: string }>`
      select distinct distinct_id as id from events where ${matching}`.execute(tx)
    const deleted = await deleteEvents(tx, matching)
    const { rows: unused } = await sql<{ id: string }>`
      select id from unnest(${before.map(({ id }) => id)}::text[]) as given (id)
      except select distinct_id from events where ${ofProject}`.execute(tx)
    const gone = sql`any(${unused.map(({ id }) => id)}::text[])`
    // an ID that was only merged has no events, and would keep a person who has none either
    const { rows: merged } = await sql<{ id: string }>`
      select distinct_id as id from person_ids where ${ofProject}
        and person in (select person from person_ids where ${ofProject} and distinct_id = ${gone})
        and person not in (
          select person from person_ids where ${ofProject} and not distinct_id = ${gone}
            and distinct_id in (select distinct_id from events where ${ofProject}
              union all select distinct_id from person_ids_base where ${ofProject}))`.execute(tx)
    const ids = sql`any(${[...unused, ...merged].map(({ id }) => id)}::text[])`
    const which = sql`${ofProject} and distinct_id = ${ids}`
    for (const [persons, personIds] of PERSONS_AND_IDS) {
      const idTable = sql.table(personIds)
      await sql`
        delete from ${sql.table(persons)} where number in (select person from ${idTable} where ${which})
          and number not in (select person from ${idTable} where ${ofProject} and not distinct_id = ${ids})`.execute(
        tx,
      )
    }
    for (const table of ID_TABLES) {
      await sql`delete from ${sql.table(table)} where ${which}`.execute(tx)
    }
    return deleted
  })

const deleteFrom = (
  db: Db,
  projectId: number,
  work: (tx: Tx) => Promise<number>,
): Promise<number> =>
  db.transaction().execute(async (tx) => {
    await lockPersons(tx, new Map([[projectId, 'exclusive']]))
    const deleted = await work(tx)
    if (deleted > 0) await incrementVersions(tx, [projectId])
    return deleted
  })

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
