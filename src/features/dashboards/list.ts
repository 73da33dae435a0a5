import { sql } from 'kysely'
import type { Caller } from '../../access/guard.ts'
import { jsonArrayHasAny } from '../../db/dialect.ts'
import { hotQuery } from '../../db/hot-query.ts'
import type { Db } from '../../db/schema.ts'
import { flag } from '../../db/values.ts'
import type { Slice, Window } from '../../db/window.ts'
import type { JsonText } from '../../http/json-text.ts'
import { holds, madeBy } from '../search.ts'
import { listPeople } from './read-dashboard.ts'
import { toListItem } from './representation.ts'
import type { DashboardQuery } from './schema.ts'
import { dashboardsFor, type ListedRow } from './store.ts'

type Filters = Omit<DashboardQuery, keyof Window>

export async function listDashboards(
  db: Db,
  caller: Caller,
  filters: Filters,
  window: Window,
): Promise<Slice<JsonText>> {
  const { deleted = false, ...others } = filters
  const { count, results } =
    Object.keys(others).length === 0
      ? await listAll(db, caller, deleted, window)
      : await listMatching(db, caller, filters, window)
  const people = await listPeople(
    db,
    results.map((row) => row.created_by),
  )
  return { count, results: results.map((row) => toListItem(caller, row, people)) }
}

const selectAll = hotQuery(
  (db: Db, userId: number, projectId: number, deleted: 0 | 1, limit: number, offset: number) =>
    inOrder(dashboardsFor(db, userId))
      .where('dashboards.project_id', '=', projectId)
      .where('dashboards.deleted', '=', deleted)
      .limit(limit)
      .offset(offset),
)

const selectCounts = hotQuery((db: Db, projectId: number) =>
  db
    .selectFrom('projects')
    .select(['live_dashboards', 'trashed_dashboards'])
    .where('id', '=', projectId),
)

/** The usual list. It is not counted: its length is kept with the project. */
async function listAll(
  db: Db,
  { projectId, userId }: Caller,
  deleted: boolean,
  { limit, offset }: Window,
): Promise<Slice<ListedRow>> {
  const results = await selectAll(db, userId, projectId, flag(deleted), limit, offset)
  const [counts] = await selectCounts(db, projectId)
  const count = deleted ? counts?.trashed_dashboards : counts?.live_dashboards
  return { count: count ?? 0, results }
}

async function listMatching(
  db: Db,
  { projectId, userId }: Caller,
  filters: Filters,
  { limit, offset }: Window,
): Promise<Slice<ListedRow>> {
  const matches = matching(db, projectId, filters)
  const results = await inOrder(dashboardsFor(db, userId))
    .where('dashboards.id', 'in', matches.select('dashboards.id'))
    .limit(limit)
    .offset(offset)
    .execute()
  const { count } = await matches
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return { count: Number(count), results }
}

const inOrder = (dashboards: ReturnType<typeof dashboardsFor>) =>
  dashboards.orderBy('pinned', 'desc').orderBy('name_key').orderBy('dashboards.id')

function matching(db: Db, projectId: number, filters: Filters) {
  const { deleted = false, search, tags, pinned, created_by, creation_mode } = filters
  let query = db
    .selectFrom('dashboards')
    .where('dashboards.project_id', '=', projectId)
    .where('deleted', '=', flag(deleted))
  if (search) {
    query = query.where(holds(sql.ref('search_key'), search))
  }
  if (tags !== undefined) {
    query = query.where((eb) => jsonArrayHasAny(db, eb.ref('tags'), [tags].flat()))
  }
  if (pinned !== undefined) query = query.where('pinned', '=', flag(pinned))
  if (creation_mode) query = query.where('creation_mode', '=', creation_mode)
  if (created_by !== undefined) {
    query = query.where('created_by', 'in', madeBy(created_by))
  }
  return query
}
