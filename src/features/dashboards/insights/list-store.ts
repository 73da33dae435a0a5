import { sql } from 'kysely'
import { createdByFilter } from '#server/access/created-by.ts'
import { countRows } from '#server/db/count-rows.ts'
import { jsonArrayHasAny } from '#server/db/dialect.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { containsText } from '#server/db/search-key.ts'
import { flag } from '#server/db/values.ts'
import { invalid } from '#server/errors.ts'
import { toId } from '#server/http/ids.ts'
import { toValues } from '#server/http/list-parameter.ts'
import type { InsightRow } from '../insight-rows/store.ts'
import type { InsightQuery, ORDERS } from './schema.ts'

export type InsightListFilters = Omit<InsightQuery, keyof PageRange | 'format' | 'refresh'>

type Order = (typeof ORDERS)[number]

const ORDER_COLUMNS: Record<Order, 'last_modified_at' | 'created_at' | 'search_key'> = {
  last_modified_at: 'last_modified_at',
  created_at: 'created_at',
  name: 'search_key',
}

export async function listInsightRows(
  db: Db,
  projectId: number,
  filters: InsightListFilters,
  { limit, offset }: PageRange,
): Promise<Slice<InsightRow>> {
  const matches = matching(db, projectId, filters)
  const { order = '-last_modified_at' } = filters
  const column = ORDER_COLUMNS[order.replace('-', '') as Order]
  const direction = order.startsWith('-') ? 'desc' : 'asc'
  const results = await matches
    .selectAll()
    .orderBy(column, direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset)
    .execute()
  const count = await countRows(matches)
  return { count, results }
}

function matching(db: Db, projectId: number, filters: InsightListFilters) {
  const { deleted = false, search, tags, created_by, short_id, saved, favorited } = filters
  let query = db
    .selectFrom('insights')
    .where('project_id', '=', projectId)
    .where('deleted', '=', flag(deleted))
  if (search) query = query.where(containsText(sql.ref('search_key'), search))
  if (tags !== undefined) {
    query = query.where((eb) => jsonArrayHasAny(db, eb.ref('tags'), [...toValues(tags)]))
  }
  if (created_by !== undefined) query = query.where('created_by', 'in', createdByFilter(created_by))
  if (short_id !== undefined) query = query.where('short_id', '=', short_id)
  if (saved !== undefined) query = query.where('saved', '=', flag(saved))
  if (favorited !== undefined) query = query.where('favorited', '=', flag(favorited))
  for (const id of toDashboardIds(filters.dashboards ?? [])) {
    query = query.where('id', 'in', shownOn(db, projectId, id))
  }
  return query
}

/** Each dashboard is a condition of its own. */
const MAX_DASHBOARDS = 20

function toDashboardIds(given: string | readonly string[]): number[] {
  const texts = [...new Set(toValues(given))]
  if (texts.length > MAX_DASHBOARDS) {
    throw invalid('dashboards', `Name at most ${MAX_DASHBOARDS} dashboards.`)
  }
  return texts.map((text) => {
    const id = toId(text)
    if (id === undefined) throw invalid('dashboards', 'Must be the ID of a dashboard.')
    return id
  })
}

const shownOn = (db: Db, projectId: number, dashboardId: number) =>
  db
    .selectFrom('tiles')
    .select('tiles.insight_id')
    .where('tiles.project_id', '=', projectId)
    .where('tiles.dashboard_id', '=', dashboardId)
    .where('tiles.insight_id', 'is not', null)
    .where('tiles.deleted', '=', 0)
