import { toStoredText } from '../event-row.ts'
import type { PropertyMatch } from '../event-store.ts'
import type { DerivedTables } from './derived-tables.ts'
import { findPersonNumber, takePlace } from './edit.ts'

/** Deletes the person of an ID with all its IDs and their events. Returns the number of events, as all deletions do. */
export async function deletePerson(
  tables: DerivedTables,
  projectId: number,
  id: string,
): Promise<number> {
  const distinctId = toStoredText(id)
  await takePlace(tables) // in the middle of a rebuild, the person may have other IDs than before
  const person = await findPersonNumber(tables, projectId, distinctId)
  const ids = person === undefined ? [distinctId] : await tables.listIds(person)
  await deleteIds(tables, projectId, ids)
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
  await keepPersons(tables, projectId)
  return deleted
}

export async function deleteProjectData(tables: DerivedTables, projectId: number): Promise<number> {
  await tables.deleteProject(projectId)
  return tables.deleteEvents({ projectId })
}

/** Deletes the events and the groups with a text in a property, and the persons who have no other events. */
export async function deleteByProperty(
  tables: DerivedTables,
  projectId: number,
  match: PropertyMatch,
): Promise<number> {
  const { deleted, ids } = await tables.deleteMatching(projectId, match)
  await deleteIds(tables, projectId, await tables.listUnused(projectId, ids))
  await tables.deleteGroups(projectId, match)
  return deleted
}

/**
 * Deletes IDs and their persons. If one was kept together with an ID that has been split off since, persons are kept
 * again, because a rebuild would give that ID the properties of the deleted person.
 */
async function deleteIds(
  tables: DerivedTables,
  projectId: number,
  ids: readonly string[],
): Promise<void> {
  const kept = await tables.listKeptIds(projectId, ids)
  await tables.deleteIds(projectId, ids)
  const deleted = new Set(ids)
  if (kept.some((id) => !deleted.has(id))) await keepPersons(tables, projectId)
}

async function keepPersons(tables: DerivedTables, projectId: number): Promise<void> {
  const place = await tables.takePlace()
  if (place !== undefined) await tables.keepPersons(projectId, place) // those of a rebuild in progress are incomplete
}
