import { toStoredText } from '../event-row.ts'
import type { PropertyMatch } from '../event-store.ts'
import type { DerivedTables } from './derived-tables.ts'
import { findPerson } from './edit.ts'

/** Deletes the person of an ID with all its IDs and their events. Returns the number of events, as all deletions do. */
export async function deletePerson(
  tables: DerivedTables,
  projectId: number,
  id: string,
): Promise<number> {
  const distinctId = toStoredText(id)
  const person = await findPerson(tables, projectId, distinctId)
  const ids = person === undefined ? [distinctId] : await tables.listIds(person)
  await tables.deleteIds(projectId, ids, false)
  return tables.deleteEvents({ projectId, ids })
}

/** Deletes the events before a time. Their persons stay. */
export async function deleteBefore(
  tables: DerivedTables,
  projectId: number,
  before: string,
): Promise<number> {
  const deleted = await tables.deleteEvents({ projectId, before })
  if (deleted === 0) return 0
  const place = await tables.takePlace()
  if (place !== undefined) await tables.keepPersons(projectId, place) // those of a rebuild in progress are incomplete
  return deleted
}

export async function deleteProject(tables: DerivedTables, projectId: number): Promise<number> {
  await tables.deleteProject(projectId)
  return tables.deleteEvents({ projectId })
}

/** Deletes the events with a text in a property, and the persons who have no other events. */
export async function deleteByProperty(
  tables: DerivedTables,
  projectId: number,
  match: PropertyMatch,
): Promise<number> {
  const { deleted, ids } = await tables.deleteMatching(projectId, match)
  await tables.deleteIds(projectId, await tables.listUnused(projectId, ids), true)
  return deleted
}
