import type { Caller } from '../../access/guard.ts'
import type { Db } from '../../db/schema.ts'
import { notFound } from '../../errors.ts'
import { listUsersById } from '../users/store.ts'
import { personOf, toDashboard } from './representation.ts'
import type { Dashboard } from './schema.ts'
import { type DashboardRow, findDashboard } from './store.ts'
import { peopleOf, toTiles } from './tiles/representation.ts'
import { listTiles } from './tiles/store.ts'

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

export async function getDashboard(db: Db, caller: Caller, id: number): Promise<Dashboard> {
  const row = await getDashboardRow(db, caller, id)
  const tiles = await listTiles(db, caller.projectId, id)
  const people = await listUsersById(db, [row.created_by, ...peopleOf(tiles)])
  const shown = toTiles(caller.projectId, tiles, (user) => personOf(people, user))
  return toDashboard(caller, row, shown, people)
}
