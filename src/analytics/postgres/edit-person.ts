import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/schema.ts'
import { ApiError } from '#server/errors.ts'
import { toStoredText } from '../event-row.ts'
import type { PersonEdit } from '../event-store.ts'
import { applyIdentityEvents } from '../identity/apply-identity-events.ts'
import { toUpdateEvent } from '../identity/identity-event.ts'
import { PERSON_UUID } from '../identity/person-uuid.ts'
import { toPropertiesText } from '../properties-text.ts'
import { addEditPositions } from './edit-positions.ts'
import { lockPersons } from './locks.ts'
import { toPersonTables } from './person-tables.ts'
import { takeNumbers } from './sequence.ts'
import { incrementVersions } from './versions.ts'

/** Edits have a number among those of the events, so that a rebuild repeats them at the same place. */
export const EDIT_TABLES = [
  `create table if not exists person_edits (
    seq bigint primary key,
    project_id bigint not null,
    distinct_id text collate "C" not null,
    edit text not null
  )`,
  addEditPositions('person_edits'),
]

/** Edits the person of an ID, and records it. Returns whether the ID has a person. */
export const editPerson = (db: Db, projectId: number, given: PersonEdit): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const edit = { ...given, distinctId: toStoredText(given.distinctId) }
    await lockPersons(tx, new Map([[projectId, 'exclusive']]))
    const { numbers, areIdentified } = await takeNumbers(tx, 1)
    if (!areIdentified) throw beingRebuilt()
    if (!(await applyEdit(tx, projectId, edit))) return false
    await sql`
      insert into person_edits (seq, project_id, distinct_id, edit)
      values (${numbers[0]}, ${projectId}, ${edit.distinctId}, ${toPropertiesText(edit)})`.execute(
      tx,
    )
    await incrementVersions(tx, [projectId])
    return true
  })

export const beingRebuilt = (): ApiError =>
  new ApiError('unavailable', 'Persons and groups are being rebuilt. Try again when that is done.')

/** Returns whether the ID has a person. */
export async function applyEdit(tx: Tx, projectId: number, edit: PersonEdit): Promise<boolean> {
  const person = await findPerson(tx, projectId, edit.distinctId)
  if (person === undefined) return false
  if (edit.kind === 'update')
    await applyIdentityEvents(toPersonTables(tx), [toUpdateEvent(projectId, edit)])
  else await separateIds(tx, projectId, person, edit)
  return true
}

/** Finds the number of an ID's person. */
export async function findPerson(
  tx: Tx,
  projectId: number,
  distinctId: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ person: number }>`
    select person from person_ids where project_id = ${projectId} and distinct_id = ${distinctId}`.execute(
    tx,
  )
  return rows[0]?.person
}

/** Gives IDs a person of their own: all but one, or all if the profile is deleted. */
async function separateIds(
  tx: Tx,
  projectId: number,
  person: number,
  { kind, distinctId }: PersonEdit,
): Promise<void> {
  const isDeleted = kind === 'delete'
  const { rows } = await sql<{ id: string }>`
    select distinct_id as id from person_ids
    where person = ${person} and (${isDeleted} or distinct_id <> ${distinctId}) order by 1`.execute(
    tx,
  )
  const ids = rows.map(({ id }) => id)
  const { numbers } = await takeNumbers(tx, ids.length)
  const separated = sql`unnest(${ids}::text[], ${numbers}::bigint[]) as separated (id, number)`
  await sql`
    insert into persons (project_id, number, uuid, created_at, has_profile, is_identified, properties)
    select project_id, separated.number, ${sql.raw(PERSON_UUID)}, created_at, ${!isDeleted}, false, '{}'
    from persons, ${separated}, md5(${projectId}::bigint || ':' || id) as hash
    where persons.number = ${person}`.execute(tx)
  for (const table of ['person_ids', 'facts']) {
    await sql`
      update ${sql.table(table)} set person = number from ${separated}
      where person = ${person} and distinct_id = id`.execute(tx)
  }
  if (isDeleted) await sql`delete from persons where number = ${person}`.execute(tx)
  // one of the others may have given the person its uuid
  else
    await sql`
      update persons set uuid = ${sql.raw(PERSON_UUID)} from md5(${projectId}::bigint || ':' || ${distinctId}) as hash
      where number = ${person}`.execute(tx)
}
