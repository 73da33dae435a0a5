import { ApiError } from '#server/errors.ts'
import { toStoredText } from '../event-row.ts'
import type { GroupEdit, PersonEdit } from '../event-store.ts'
import { toGroupKey } from '../groups/group-keys.ts'
import { applyGroupEdit, canEditGroup } from '../groups/groups.ts'
import { applyIdentityEvents } from '../identity/apply-identity-events.ts'
import { toUpdateEvent } from '../identity/identity-event.ts'
import type { DerivedTables, RecordedEdit } from './derived-tables.ts'

/** Edits the person of an ID, and records it. Returns whether the ID has a person. */
export async function editPerson(
  tables: DerivedTables,
  projectId: number,
  given: PersonEdit,
): Promise<boolean> {
  const person = { ...given, distinctId: toStoredText(given.distinctId) }
  const seq = await takePlace(tables)
  if (!(await applyPersonEdit(tables, projectId, person))) return false
  await tables.recordEdit({ seq, projectId, change: { person } })
  return true
}

/** Edits a group, and records it. Returns whether it could. */
export async function editGroup(
  tables: DerivedTables,
  projectId: number,
  given: GroupEdit,
): Promise<boolean> {
  const group = { ...given, key: toGroupKey(given.key) }
  const seq = await takePlace(tables)
  if (!(await canEditGroup(tables.groups, projectId, group))) return false
  await applyGroupEdit(tables.groups, projectId, group)
  await tables.recordEdit({ seq, projectId, change: { group } })
  return true
}

/** Makes a recorded edit again. */
export async function repeatEdit(
  tables: DerivedTables,
  { projectId, change }: RecordedEdit,
): Promise<void> {
  if ('group' in change) await applyGroupEdit(tables.groups, projectId, change.group)
  else await applyPersonEdit(tables, projectId, change.person)
}

/** Finds the number of an ID's person. */
export async function findPersonNumber(
  { persons }: DerivedTables,
  projectId: number,
  distinctId: string,
): Promise<number | undefined> {
  const { ids } = await persons.find([{ projectId, distinctId }])
  return ids[0]?.person
}

/** Takes the number of a change. Throws while persons and groups are being rebuilt. */
export async function takePlace(tables: DerivedTables): Promise<number> {
  const place = await tables.takePlace()
  if (place !== undefined) return place
  const detail = 'Persons and groups are being rebuilt. Try again when that is done.'
  throw new ApiError('unavailable', detail)
}

/** Returns whether the ID has a person. */
async function applyPersonEdit(
  tables: DerivedTables,
  projectId: number,
  edit: PersonEdit,
): Promise<boolean> {
  const person = await findPersonNumber(tables, projectId, edit.distinctId)
  if (person === undefined) return false
  if (edit.kind === 'update') {
    await applyIdentityEvents(tables.persons, [toUpdateEvent(projectId, edit)])
  } else await separateIds(tables, projectId, person, edit)
  return true
}

/** Gives IDs a person of their own: all but one, or all if the profile is deleted. */
async function separateIds(
  tables: DerivedTables,
  projectId: number,
  person: number,
  { kind, distinctId }: PersonEdit,
): Promise<void> {
  const isDeleted = kind === 'delete'
  const ids = (await tables.listIds(person)).filter((id) => isDeleted || id !== distinctId)
  await tables.separateIds({ projectId, person, ids, hasProfile: !isDeleted })
  if (isDeleted) await tables.deletePerson(person)
  // one of the others may have given the person its uuid
  else await tables.resetUuid(projectId, person, distinctId)
}
