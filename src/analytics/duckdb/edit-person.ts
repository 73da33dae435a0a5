import type { DuckDBConnection } from '@duckdb/node-api'
import { toStoredText } from '../event-row.ts'
import type { PersonEdit } from '../event-store.ts'
import { applyIdentityEvents } from '../identity/apply-identity-events.ts'
import { toUpdateEvent } from '../identity/identity-event.ts'
import { PERSON_UUID } from '../identity/person-uuid.ts'
import { toPropertiesText } from '../properties-text.ts'
import { toPersonTables } from './person-tables.ts'
import { readRows } from './read-rows.ts'

/** Edits are kept with the number of the last event before them, so that a rebuild repeats them at the same place. */
export const EDIT_TABLES = [
  `create table if not exists person_edits (
    project_id bigint not null,
    after_seq bigint not null,
    position bigint not null,
    distinct_id varchar not null,
    edit varchar not null
  )`,
  'create sequence if not exists person_edit_positions',
  // persons made by edits have negative numbers, because the others have those of events
  'create sequence if not exists person_numbers start with -1 increment by -1',
]

/** Edits the person of an ID, and records it. Returns whether the ID has a person. */
export async function editPerson(
  connection: DuckDBConnection,
  projectId: number,
  edit: PersonEdit,
  afterSeq: number,
): Promise<boolean> {
  const distinctId = toStoredText(edit.distinctId)
  if (!(await applyEdit(connection, projectId, { ...edit, distinctId }))) return false
  await connection.run(
    `insert into person_edits
      values ($projectId::bigint, $afterSeq::bigint, nextval('person_edit_positions'), $distinctId, $edit)`,
    { projectId, afterSeq, distinctId, edit: toPropertiesText(edit) },
  )
  return true
}

/** Repeats the edits that were made after an event. */
export async function repeatEdits(connection: DuckDBConnection, afterSeq: number): Promise<void> {
  const edits = await readRows<[number, string]>(
    connection,
    `select project_id::double, edit from person_edits left join person_bases using (project_id)
      where after_seq = ${afterSeq} and after_seq > coalesce(up_to, 0) order by position`,
  )
  for (const [projectId, edit] of edits) await applyEdit(connection, projectId, JSON.parse(edit))
}

async function applyEdit(
  connection: DuckDBConnection,
  projectId: number,
  edit: PersonEdit,
): Promise<boolean> {
  const person = await findPerson(connection, projectId, edit.distinctId)
  if (person === undefined) return false
  if (edit.kind === 'update')
    await applyIdentityEvents(toPersonTables(connection), [toUpdateEvent(projectId, edit)])
  else await separateIds(connection, projectId, person, edit)
  return true
}

/** Finds the number of an ID's person. */
export async function findPerson(
  connection: DuckDBConnection,
  projectId: number,
  distinctId: string,
): Promise<number | undefined> {
  const reader = await connection.runAndReadAll(
    'select person::double from person_ids where project_id = $projectId::bigint and distinct_id = $distinctId',
    { projectId, distinctId },
  )
  return reader.getRows()[0]?.[0] as number | undefined
}

/** Gives IDs a person of their own: all but one, or all if the profile is deleted. */
async function separateIds(
  connection: DuckDBConnection,
  projectId: number,
  person: number,
  { kind, distinctId }: PersonEdit,
): Promise<void> {
  const isDeleted = kind === 'delete'
  await connection.run(
    `create or replace temp table separated_ids as
      select project_id, distinct_id, person as former, nextval('person_numbers') as number
      from person_ids where person = $person::bigint and ($isDeleted or distinct_id <> $distinctId)`,
    { person, isDeleted, distinctId },
  )
  await connection.run(
    `insert into persons
      select separated.project_id, separated.number, ${PERSON_UUID}, created_at, $hasProfile, false, '{}'
      from (select *, md5(project_id || ':' || distinct_id) as hash from separated_ids) separated
      join persons on persons.number = former`,
    { hasProfile: !isDeleted },
  )
  for (const table of ['person_ids', 'facts']) {
    await connection.run(`update ${table} set person = number from separated_ids separated
      where ${table}.project_id = separated.project_id and ${table}.distinct_id = separated.distinct_id`)
  }
  if (isDeleted) {
    await connection.run('delete from persons where number = $person::bigint', { person })
    return
  }
  // one of the others may have given the person its uuid
  await connection.run(
    `update persons set uuid = ${PERSON_UUID} from (select md5($projectId::bigint || ':' || $distinctId) as hash)
      where number = $person::bigint`,
    { projectId, distinctId, person },
  )
}
