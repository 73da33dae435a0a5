import type { Caller } from '../../access/guard.ts'
import type { Db } from '../../db/schema.ts'
import { notFound } from '../../errors.ts'
import { type JsonText, toJsonText } from '../../http/json-text.ts'
import type { User } from '../users/schema.ts'
import { listUsersById } from '../users/store.ts'
import { type PeopleText, toDashboard } from './representation.ts'
import { creatorOf, type DashboardRow, findDashboard } from './store.ts'
import { peopleOf, toTiles } from './tiles/representation.ts'
import { listTiles, type TileRow } from './tiles/store.ts'

/** In nested paths the missing thing is named: there it is not what was asked for. */
export async function getDashboardRow(
  db: Db,
  caller: Caller,
  id: number,
  thing?: string,
): Promise<DashboardRow> {
  const row = await findDashboard(db, caller, id)
  if (!row) throw notFound(thing)
  return row
}

/** A dashboard and the tiles it shows, as they are stored. */
export interface DashboardRows {
  readonly row: DashboardRow
  readonly tiles: readonly TileRow[]
}

export async function getDashboardRows(db: Db, caller: Caller, id: number): Promise<DashboardRows> {
  const row = await getDashboardRow(db, caller, id)
  return { row, tiles: await listTiles(db, caller.projectId, id) }
}

/** As this caller sees it. */
export async function present(
  db: Db,
  caller: Caller,
  { row, tiles }: DashboardRows,
): Promise<JsonText> {
  const people = await listPeople(db, peopleOf(tiles), creatorOf(row))
  return toDashboard(caller, row, toTiles(caller.projectId, tiles, people), people)
}

export async function getDashboard(db: Db, caller: Caller, id: number): Promise<JsonText> {
  return present(db, caller, await getDashboardRows(db, caller, id))
}

/** Each written once, however often they are named. `known` need not be asked for. */
export async function listPeople(
  db: Db,
  ids: readonly (number | null)[],
  known?: User,
): Promise<PeopleText> {
  const texts = new Map(known && [[known.id, toJsonText(known)]])
  const unknown = ids.filter((id) => id !== null && !texts.has(id))
  for (const [id, user] of await listUsersById(db, unknown)) texts.set(id, toJsonText(user))
  return (id) => texts.get(id ?? 0) ?? NOBODY
}

const NOBODY = toJsonText(null)
