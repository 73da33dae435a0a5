import type { Caller } from '#server/access/guard.ts'
import type { Db } from '#server/db/schema.ts'
import { notFound } from '#server/errors.ts'
import type { User } from '#server/features/people/users/schema.ts'
import { listUsersById } from '#server/features/people/users/store.ts'
import { type RefreshPolicy, toRefreshPolicy } from '#server/features/results/refresh.ts'
import type { Results } from '#server/features/results/results.ts'
import { type JsonText, toJsonText } from '#server/http/json-text.ts'
import { peopleOf, toTiles } from '../tiles/representation.ts'
import { listTiles, type TileRow } from '../tiles/store.ts'
import { toDashboard, type UserTexts } from './representation.ts'
import { creatorOf, type DashboardRow, findDashboard } from './store.ts'
import { findTileInsightResults, type RequestOverrides } from './tile-results.ts'

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

/**
 * As this caller sees it, with what is known of its tiles' answers. `refresh` says whether to look for newer ones: who
 * changes something does not, or every change of a filter would compute all tiles that nobody may want to see.
 */
export async function serializeDashboard(
  db: Db,
  results: Results,
  caller: Caller,
  { row, tiles }: DashboardRows,
  refresh: RefreshPolicy = toRefreshPolicy('force_cache'),
  override: RequestOverrides = {},
): Promise<JsonText> {
  const [people, answers] = await Promise.all([
    listUserTexts(db, peopleOf(tiles), creatorOf(row)),
    findTileInsightResults(results, row, tiles, refresh, override),
  ])
  const shown = {
    ...row,
    ...(override.filters && { filters: JSON.stringify(override.filters) }),
    ...(override.variables && { variables: JSON.stringify(override.variables) }),
  }
  return toDashboard(caller, shown, toTiles(caller.projectId, tiles, people, answers), people)
}

/** Each written once, however often they are named. `known` need not be asked for. */
export async function listUserTexts(
  db: Db,
  ids: readonly (number | null)[],
  known?: User,
): Promise<UserTexts> {
  const texts = new Map(known && [[known.id, toJsonText(known)]])
  const unknown = ids.filter((id) => id !== null && !texts.has(id))
  for (const [id, user] of await listUsersById(db, unknown)) texts.set(id, toJsonText(user))
  return (id) => texts.get(id ?? 0) ?? NOBODY
}

const NOBODY = toJsonText(null)
