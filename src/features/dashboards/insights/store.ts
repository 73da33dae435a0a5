import type { Selectable } from 'kysely'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { toSearchKey } from '#server/db/search-key.ts'
import { chunksOf, json, MAX_VALUES_PER_STATEMENT, now, randomText } from '#server/db/values.ts'
import { toId } from '#server/http/ids.ts'
import type { DashboardAccess } from '../dashboards/rights.ts'

export type InsightRow = Selectable<Schema['insights']>

interface Actor {
  readonly projectId: number
  readonly userId: number
}

export interface NewInsight {
  readonly name: string
  readonly derivedName?: string | null
  readonly description: string
  readonly query: unknown
  readonly tags?: readonly string[]
  readonly folder?: string | null
  readonly isSample?: boolean
  readonly favorited?: boolean
  readonly saved?: boolean
  readonly deleted?: boolean
}

export function insertInsight(
  tx: Tx,
  { projectId, userId }: Actor,
  insight: NewInsight,
): Promise<InsightRow> {
  const at = now()
  const searched = {
    name: insight.name,
    description: insight.description,
    tags: json(insight.tags ?? []),
    folder: insight.folder ?? null,
  }
  return tx
    .insertInto('insights')
    .values({
      ...searched,
      search_key: toSearchKey(searched),
      project_id: projectId,
      short_id: newShortId(),
      derived_name: insight.derivedName ?? null,
      query: json(insight.query),
      is_sample: insight.isSample ? 1 : 0,
      favorited: insight.favorited ? 1 : 0,
      saved: insight.saved === false ? 0 : 1,
      deleted: insight.deleted ? 1 : 0,
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

const CHANGEABLE = [
  'name',
  'derived_name',
  'description',
  'query',
  'tags',
  'folder',
  'favorited',
  'saved',
  'deleted',
] as const

export type InsightUpdate = {
  readonly [Column in (typeof CHANGEABLE)[number]]: InsightRow[Column] | undefined
}

/** Updates the given columns. An insight whose columns are equal keeps its last modification. */
export async function updateInsight(
  tx: Tx,
  { projectId, userId }: Actor,
  before: InsightRow,
  update: InsightUpdate,
): Promise<InsightRow> {
  const changed = CHANGEABLE.filter(
    (column) => update[column] !== undefined && update[column] !== before[column],
  )
  if (changed.length === 0) return before
  const columns = Object.fromEntries(changed.map((column) => [column, update[column]]))
  return tx
    .updateTable('insights')
    .set(columns)
    .set({
      search_key: toSearchKey({ ...before, ...columns }),
      // trashed or restored separately, the insight no longer follows its dashboard
      ...('deleted' in columns && { deleted_with: null }),
      last_modified_by: userId,
      last_modified_at: now(),
    })
    .where('project_id', '=', projectId)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A tile that shows an insight, and the columns that decide who can edit its dashboard. */
export interface InsightPlacement extends DashboardAccess {
  readonly insight_id: number | null
  readonly tile_id: number
  readonly dashboard_id: number
  /** Whether the dashboard is in the trash. */
  readonly deleted: 0 | 1
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
  db
    .selectFrom('tiles')
    .innerJoin('dashboards', 'dashboards.id', 'tiles.dashboard_id')
    .leftJoin('collaborators', (join) =>
      join
        .onRef('collaborators.dashboard_id', '=', 'dashboards.id')
        .on('collaborators.user_id', '=', userId),
    )
    .select(['tiles.insight_id', 'tiles.id as tile_id', 'tiles.dashboard_id'])
    .select(['dashboards.deleted', 'dashboards.created_by', 'dashboards.restriction_level'])
    .select('collaborators.level as collaborator_level')
    .where('tiles.project_id', '=', projectId)
    .where('tiles.insight_id', 'in', insightIds)
    .where('tiles.deleted', '=', 0)
    .orderBy('tiles.dashboard_id')
    .orderBy('tiles.id')
    .execute()
