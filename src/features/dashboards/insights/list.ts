import { sql } from 'kysely'
import { createdByFilter } from '#server/access/created-by.ts'
import type { Caller } from '#server/access/guard.ts'
import { jsonArrayHasAny } from '#server/db/dialect.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { containsText } from '#server/db/search-key.ts'
import { flag } from '#server/db/values.ts'
import { toRefreshPolicy } from '#server/features/results/refresh.ts'
import type { Results } from '#server/features/results/results.ts'
import type { JsonText } from '#server/http/json-text.ts'
import { serializeInsights } from './read-insight.ts'
import type { InsightQuery, ORDERS } from './schema.ts'

type Filters = Omit<InsightQuery, keyof PageRange>

const COLUMN: Record<(typeof ORDERS)[number], 'last_modified_at' | 'created_at' | 'search_key'> = {
  last_modified_at: 'last_modified_at',
  created_at: 'created_at',
  name: 'search_key',
}

export async function listInsights(
  db: Db,
  results: Results,
  caller: Caller,
  filters: Filters,
  { limit, offset }: PageRange,
): Promise<Slice<JsonText>> {
  const matches = matching(db, caller.projectId, filters)
  const [column, direction] = toOrder(filters.order)
  const rows = await matches
    .selectAll()
    .orderBy(column, direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset)
    .execute()
  const { count } = await matches
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  const refresh = filters.basic ? 'none' : toRefreshPolicy('force_cache')
  return {
    count: Number(count),
    results: await serializeInsights(db, results, caller, rows, refresh),
  }
}

function toOrder(order: NonNullable<Filters['order']> = '-last_modified_at') {
  const name = order.replace('-', '') as (typeof ORDERS)[number]
  return [COLUMN[name], order.startsWith('-') ? 'desc' : 'asc'] as const
}

function matching(db: Db, projectId: number, filters: Filters) {
  const { deleted = false, search, tags, created_by, short_id, saved, favorited } = filters
  let query = db
    .selectFrom('insights')
    .where('project_id', '=', projectId)
    .where('deleted', '=', flag(deleted))
  if (search) query = query.where(containsText(sql.ref('search_key'), search))
  if (tags !== undefined) {
    query = query.where((eb) => jsonArrayHasAny(db, eb.ref('tags'), [tags].flat()))
  }
  if (created_by !== undefined) query = query.where('created_by', 'in', createdByFilter(created_by))
  if (short_id !== undefined) query = query.where('short_id', '=', short_id)
  if (saved !== undefined) query = query.where('saved', '=', flag(saved))
  if (favorited !== undefined) query = query.where('favorited', '=', flag(favorited))
  if (filters.dashboards !== undefined) {
    query = query.where('id', 'in', shownOn(db, projectId, filters.dashboards))
  }
  return query
}

const shownOn = (db: Db, projectId: number, dashboardId: number) =>
  db
    .selectFrom('tiles')
    .select('tiles.insight_id')
    .where('tiles.project_id', '=', projectId)
    .where('tiles.dashboard_id', '=', dashboardId)
    .where('tiles.insight_id', 'is not', null)
    .where('tiles.deleted', '=', 0)
