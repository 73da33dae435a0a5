import type { Selectable } from 'kysely'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { toSearchKey } from '#server/db/search-key.ts'
import { chunksOf, MAX_VALUES_PER_STATEMENT, now, randomText } from '#server/db/values.ts'
import { toId } from '#server/http/ids.ts'
import { dashboardsWithLevel } from '../access-store.ts'
import { insightResource } from './fields.ts'
import type { InsightPlacement } from './rights.ts'

export type InsightRow = Selectable<Schema['insights']>

interface Actor {
  readonly projectId: number
  readonly userId: number
}

export function insertInsight(
  tx: Tx,
  { projectId, userId }: Actor,
  insight: Partial<InsightRow>,
): Promise<InsightRow> {
  const at = now()
  const columns = { ...insightResource.empty, is_sample: 0 as const, ...insight }
  return tx
    .insertInto('insights')
    .values({
      ...columns,
      search_key: toSearchKey(columns),
      project_id: projectId,
      short_id: newShortId(),
      created_by: userId,
      created_at: at,
      last_modified_by: userId,
      last_modified_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A short id has a letter, or it would be taken for an id. */
function newShortId(): string {
  const text = randomText(8)
  return /\D/.test(text) ? text : newShortId()
}

const SHORT_ID = /^[0-9A-Za-z]{8}$/

/** Finds an insight by its id or short id, in the trash too. */
export async function findInsight(
  db: Db,
  projectId: number,
  idOrShortId: string | number,
): Promise<InsightRow | undefined> {
  const text = String(idOrShortId)
  const id = toId(text)
  if (id === undefined && !SHORT_ID.test(text)) return undefined
  const insights = db.selectFrom('insights').selectAll().where('project_id', '=', projectId)
  const found =
    id === undefined ? insights.where('short_id', '=', text) : insights.where('id', '=', id)
  return found.executeTakeFirst()
}

/** Updates the given columns. An insight whose columns are equal keeps its last modification. */
export async function updateInsight(
  tx: Tx,
  { projectId, userId }: Actor,
  before: InsightRow,
  columns: Partial<InsightRow>,
): Promise<InsightRow> {
  const changed = Object.entries(columns).filter(
    ([column, value]) => value !== before[column as keyof InsightRow],
  )
  if (changed.length === 0) return before
  return tx
    .updateTable('insights')
    .set(Object.fromEntries(changed))
    .set({
      search_key: toSearchKey({ ...before, ...columns }),
      // trashed or restored separately, the insight no longer follows its dashboard
      ...(changed.some(([column]) => column === 'deleted') && { deleted_with: null }),
      last_modified_by: userId,
      last_modified_at: now(),
    })
    .where('project_id', '=', projectId)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Lists the tiles that show the insights, on dashboards in the trash too. */
export async function listPlacements(
  db: Db,
  { projectId, userId }: Actor,
  insightIds: readonly number[],
): Promise<InsightPlacement[]> {
  const placements: InsightPlacement[] = []
  for (const some of chunksOf(insightIds, MAX_VALUES_PER_STATEMENT)) {
    placements.push(...(await selectPlacements(db, projectId, userId, some)))
  }
  return placements
}

const selectPlacements = (
  db: Db,
  projectId: number,
  userId: number,
  insightIds: readonly number[],
): Promise<InsightPlacement[]> =>
  dashboardsWithLevel(db, userId)
    .innerJoin('tiles', 'tiles.dashboard_id', 'dashboards.id')
    .select(['tiles.insight_id', 'tiles.id as tile_id', 'tiles.dashboard_id'])
    .select(['dashboards.deleted', 'dashboards.created_by', 'dashboards.restriction_level'])
    .where('tiles.project_id', '=', projectId)
    .where('tiles.insight_id', 'in', insightIds)
    .where('tiles.deleted', '=', 0)
    .orderBy('tiles.dashboard_id')
    .orderBy('tiles.id')
    .execute()
