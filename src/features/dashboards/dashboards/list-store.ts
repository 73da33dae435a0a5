import { sql } from 'kysely'
import { createdByFilter } from '#server/access/created-by.ts'
import type { Caller } from '#server/access/guard.ts'
import { compileOnce } from '#server/db/compile-once.ts'
import { countRows } from '#server/db/count-rows.ts'
import { jsonArrayHasAny } from '#server/db/dialect.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Schema } from '#server/db/schema.ts'
import { containsText } from '#server/db/search-key.ts'
import { type Flag, flag } from '#server/db/values.ts'
import { invalid } from '#server/errors.ts'
import { toId } from '#server/http/ids.ts'
import { toValues } from '#server/http/list-parameter.ts'
import type { DASHBOARD_ORDERS, DashboardQuery } from './schema.ts'
import { dashboardsFor, type ListedRow } from './store.ts'

type Columns = Schema['dashboards']
type Order = (typeof DASHBOARD_ORDERS)[number]

export type DashboardListFilters = Omit<DashboardQuery, keyof PageRange | 'format'>

export function listDashboardRows(
  db: Db,
  caller: Caller,
  filters: DashboardListFilters,
  range: PageRange,
): Promise<Slice<ListedRow>> {
  const { deleted: _, order: __, with_modified: ___, ...others } = filters
  return Object.keys(others).length === 0
    ? listAll(db, caller, filters, range)
    : listMatching(db, caller, filters, range)
}

interface DefaultList extends PageRange {
  readonly userId: number
  readonly projectId: number
  readonly deleted: Flag
}

const selectInDefaultOrder = compileOnce(
  (db: Db, { userId, projectId, deleted, limit, offset }: DefaultList) =>
    sorted(dashboardsFor(db, userId))
      .where('dashboards.project_id', '=', projectId)
      .where('dashboards.deleted', '=', deleted)
      .limit(limit)
      .offset(offset),
)

const selectVersions = compileOnce(
  (db: Db, { projectId, deleted, limit, offset }: Omit<DefaultList, 'userId'>) =>
    db
      .selectFrom('dashboards')
      .select(['id', 'version'])
      .where('project_id', '=', projectId)
      .where('deleted', '=', deleted)
      .orderBy('pinned', 'desc')
      .orderBy('name_key')
      .orderBy('id')
      .limit(limit)
      .offset(offset),
)

/** Lists the ids and versions of dashboards in the default order. */
export async function listVersions(
  db: Db,
  projectId: number,
  deleted: boolean,
  { limit, offset }: PageRange,
) {
  const query = { projectId, deleted: flag(deleted), limit, offset }
  return toSlice(db, projectId, deleted, await selectVersions(db, query))
}

const findCounts = compileOnce((db: Db, projectId: number) =>
  db
    .selectFrom('projects')
    .select(['live_dashboards', 'trashed_dashboards'])
    .where('id', '=', projectId),
)

/** Lists without filters. The total is kept with the project, so no rows are counted. */
async function listAll(
  db: Db,
  { projectId, userId }: Caller,
  { deleted = false, order }: DashboardListFilters,
  { limit, offset }: PageRange,
): Promise<Slice<ListedRow>> {
  const results = order
    ? await sorted(dashboardsFor(db, userId), order)
        .where('dashboards.project_id', '=', projectId)
        .where('dashboards.deleted', '=', flag(deleted))
        .limit(limit)
        .offset(offset)
        .execute()
    : await selectInDefaultOrder(db, {
        userId,
        projectId,
        deleted: flag(deleted),
        limit,
        offset,
      })
  return toSlice(db, projectId, deleted, results)
}

async function toSlice<Row>(
  db: Db,
  projectId: number,
  deleted: boolean,
  results: Row[],
): Promise<Slice<Row>> {
  const [counts] = await findCounts(db, projectId)
  const count = deleted ? counts?.trashed_dashboards : counts?.live_dashboards
  return { count: count ?? 0, results }
}

async function listMatching(
  db: Db,
  { projectId, userId }: Caller,
  filters: DashboardListFilters,
  { limit, offset }: PageRange,
): Promise<Slice<ListedRow>> {
  const matches = matching(db, projectId, filters)
  const results = await sorted(dashboardsFor(db, userId), filters.order)
    .where('dashboards.id', 'in', matches.select('dashboards.id'))
    .limit(limit)
    .offset(offset)
    .execute()
  const count = await countRows(matches)
  return { count, results }
}

const ORDER_COLUMNS: Record<Order, `dashboards.${string & keyof Columns}`> = {
  name: 'dashboards.name_key',
  created_at: 'dashboards.created_at',
  last_modified_at: 'dashboards.last_modified_at',
}

function sorted(
  dashboards: ReturnType<typeof dashboardsFor>,
  order?: DashboardListFilters['order'],
) {
  if (!order) {
    return dashboards.orderBy('pinned', 'desc').orderBy('name_key').orderBy('dashboards.id')
  }
  const column = ORDER_COLUMNS[order.replace('-', '') as Order]
  const direction = order.startsWith('-') ? 'desc' : 'asc'
  return dashboards.orderBy(column, direction).orderBy('dashboards.id', direction)
}

function matching(db: Db, projectId: number, filters: DashboardListFilters) {
  const {
    deleted = false,
    search,
    tags,
    pinned,
    created_by,
    creation_mode,
    is_shared,
    id,
  } = filters
  let query = db
    .selectFrom('dashboards')
    .where('dashboards.project_id', '=', projectId)
    .where('deleted', '=', flag(deleted))
  if (search) query = query.where(containsText(sql.ref('search_key'), search))
  if (tags !== undefined) {
    query = query.where((eb) => jsonArrayHasAny(db, eb.ref('tags'), [...toValues(tags)]))
  }
  if (pinned !== undefined) query = query.where('pinned', '=', flag(pinned))
  if (is_shared !== undefined) query = query.where('is_shared', '=', flag(is_shared))
  if (id !== undefined) query = query.where('dashboards.id', 'in', toIds(id))
  if (creation_mode) query = query.where('creation_mode', '=', creation_mode)
  if (created_by !== undefined) {
    query = query.where('created_by', 'in', createdByFilter(created_by))
  }
  return query
}

const MAX_IDS = 1000

function toIds(texts: string | readonly string[]): number[] {
  const ids = [texts].flat().map((text) => toId(String(text)))
  if (ids.length > MAX_IDS) throw invalid('id', `At most ${MAX_IDS} ids can be given.`)
  return ids.map((id) => {
    if (id === undefined) throw invalid('id', 'Must be the id of a dashboard.')
    return id
  })
}
