import type { Db } from '../db/schema.ts'
import { type Flag, flag, uuid } from '../db/values.ts'
import { foreignEvents } from './damaged-events.ts'

/** Ties the event store to the database of its projects, so that neither is used with another's. */
export interface Installation {
  readonly id: string
  /** Whether the event store was created. If it is missing then, events are lost. */
  readonly has_events: Flag
}

/**
 * Finds the row, or inserts it at the first start or after an upgrade. `hasEventStore` tells whether events exist at that
 * moment; beside an empty database they belong to another installation.
 */
export async function ensureInstallation(
  db: Db,
  hasEventStore: () => Promise<boolean>,
): Promise<Installation> {
  const found = await findInstallation(db)
  if (found) return found
  const isEmpty = !(await db.selectFrom('organizations').select('id').executeTakeFirst())
  const has_events = flag(!isEmpty && (await hasEventStore()))
  await db
    .insertInto('installation')
    .values({ only_row: 1, id: uuid(), has_events })
    .onConflict((conflict) => conflict.doNothing()) // another server was first
    .execute()
  return (await findInstallation(db)) as Installation
}

export const findInstallation = (db: Db): Promise<Installation | undefined> =>
  db.selectFrom('installation').select(['id', 'has_events']).executeTakeFirst()

export async function updateHasEvents(db: Db, hasEvents: boolean): Promise<void> {
  await db
    .updateTable('installation')
    .set({ has_events: flag(hasEvents) })
    .execute()
}

/** Notes that the event store was created. */
export async function rememberEvents(db: Db, { has_events }: Installation): Promise<void> {
  if (!has_events) await updateHasEvents(db, true)
}

/** The marker in an event store: the ID of its database. */
export interface Marker {
  /** null in a store of a version without markers. */
  readonly id: string | null
  readonly isEmpty: boolean
}

/** Throws if the event store belongs to another database. */
export function requireOwnEvents(
  { id, has_events }: Installation,
  marker: Marker,
  place: string,
): void {
  const isOwn = marker.id === null ? has_events === 1 || marker.isEmpty : marker.id === id
  if (!isOwn) throw foreignEvents(place)
}
