import type { DuckDBConnection } from '@duckdb/node-api'
import { toStoredText } from '../event-row.ts'
import type { PropertyMatch } from '../event-store.ts'
import { ID_TABLES, PERSONS_AND_IDS, PROJECT_TABLES } from '../project-tables.ts'
import { keepPersons } from './catch-up-persons.ts'
import { findPerson } from './edit-person.ts'
import { toPointer } from './facts.ts'

/** Deletes events up to a number, and returns how many. */
export type Deletion = (connection: DuckDBConnection, upTo: number) => Promise<number>

/** Deletes the person of an ID with all its IDs and their events. */
export const deletePerson =
  (projectId: number, id: string): Deletion =>
  async (connection, upTo) => {
    const distinctId = toStoredText(id)
    const person = (await findPerson(connection, projectId, distinctId)) ?? 0
    await connection.run(
      `create or replace temp table deleted_ids as
        select distinct_id from person_ids where person = $person::bigint union select $distinctId`,
      { person, distinctId },
    )
    const which = `project_id = ${projectId} and distinct_id in (from deleted_ids)`
    await connection.run(
      `delete from persons_base where number in (select person from person_ids_base where ${which})`,
    )
    await connection.run('delete from persons where number = $person::bigint', { person })
    for (const table of ID_TABLES) await connection.run(`delete from ${table} where ${which}`)
    return deleteEvents(connection, `${which} and seq <= ${upTo}`)
  }

/** Deletes the events before a time. Their persons stay. */
export const deleteBefore =
  (projectId: number, time: string): Deletion =>
  async (connection, upTo) => {
    const milliseconds = Date.parse(time)
    const which = `project_id = ${projectId} and epoch_ms(timestamp) < ${milliseconds} and seq <= ${upTo}`
    const deleted = await deleteEvents(connection, which)
    if (deleted > 0) await keepPersons(connection, projectId, upTo)
    return deleted
  }

export const deleteProject =
  (projectId: number): Deletion =>
  async (connection, upTo) => {
    const which = `project_id = ${projectId}`
    for (const table of PROJECT_TABLES) {
      await connection.run(`delete from ${table} where ${which}`)
    }
    return deleteEvents(connection, `${which} and seq <= ${upTo}`)
  }

/** Deletes the events with a text in a property, and the persons who have no other events. */
export const deleteByProperty =
  (projectId: number, { key, value }: PropertyMatch): Deletion =>
  async (connection, upTo) => {
    const ofProject = `project_id = ${projectId}`
    await connection.run(
      `create or replace temp table deleted_events as select seq, distinct_id from events
        where ${ofProject} and seq <= ${upTo} and json_extract_string(properties, $pointer) = $value`,
      { pointer: toPointer(key), value },
    )
    const deleted = await deleteEvents(
      connection,
      `${ofProject} and seq in (select seq from deleted_events)`,
    )
    await connection.run(
      `create or replace temp table deleted_ids as select distinct_id from deleted_events
        except select distinct_id from events where ${ofProject}`,
    )
    // an ID that was only merged has no events, and would keep a person who has none either
    await connection.run(
      `insert into deleted_ids select distinct_id from person_ids where ${ofProject}
        and person in (
          select person from person_ids where ${ofProject} and distinct_id in (from deleted_ids))
        and person not in (
          select person from person_ids where ${ofProject} and distinct_id not in (from deleted_ids)
            and distinct_id in (select distinct_id from events where ${ofProject}
              union all select distinct_id from person_ids_base where ${ofProject}))`,
    )
    const which = `${ofProject} and distinct_id in (from deleted_ids)`
    const others = `${ofProject} and distinct_id not in (from deleted_ids)`
    for (const [persons, ids] of PERSONS_AND_IDS) {
      await connection.run(
        `delete from ${persons} where number in (select person from ${ids} where ${which})
          and number not in (select person from ${ids} where ${others})`,
      )
    }
    for (const table of ID_TABLES) await connection.run(`delete from ${table} where ${which}`)
    return deleted
  }

export async function deleteWarningsBefore(
  connection: DuckDBConnection,
  time: string,
): Promise<void> {
  const statement = 'delete from identity_warnings where created_at < $time::timestamptz'
  await connection.run(statement, { time })
}

async function deleteEvents(connection: DuckDBConnection, which: string): Promise<number> {
  // by the deleted numbers, which are few: by the remaining ones, all would have to be in memory
  const ofGone = `seq in (select seq from events where ${which})`
  await connection.run(`delete from whole_properties where ${ofGone}`)
  await connection.run(`delete from facts where ${which}`)
  return (await connection.run(`delete from events where ${which}`)).rowsChanged
}
