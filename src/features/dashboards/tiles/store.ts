import { sql } from 'kysely'
import { type Layouts, type Section, toSortPosition } from '#model/grid.ts'
import { compileOnce } from '#server/db/compile-once.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { type Flag, json, now } from '#server/db/values.ts'
import { dashboardsWithLevel } from '../access-store.ts'
import { tileInsight } from '../insight-rows/fields.ts'
import type { DashboardAccess } from '../rights.ts'

/** The columns of an insight that a text does not have. */
const insightColumns = tileInsight.columns.filter(
  (column) =>
    column !== 'insights.created_by' &&
    column !== 'insights.last_modified_at' &&
    column !== 'insights.last_modified_by',
)

/**
 * Lists the tiles of a dashboard in reading order. A tile whose insight was trashed separately is left out;
 * one whose insight was trashed with a dashboard stays, so that the dashboard can be viewed in the trash.
 */
export const listTiles = compileOnce((db: Db, projectId: number, dashboardId: number) =>
  db
    .selectFrom('tiles')
    .leftJoin('insights', 'insights.id', 'tiles.insight_id')
    .leftJoin('texts', 'texts.id', 'tiles.text_id')
    .select(['tiles.id', 'tiles.layouts', 'tiles.color', 'tiles.insight_id', 'tiles.text_id'])
    .select(['tiles.filters_overrides', 'tiles.show_description', 'tiles.section'])
    .select(insightColumns)
    .select((eb) => [
      'texts.body',
      eb.fn.coalesce('insights.created_by', 'texts.created_by').as('created_by'),
      eb.fn.coalesce('insights.last_modified_at', 'texts.last_modified_at').as('last_modified_at'),
      eb.fn.coalesce('insights.last_modified_by', 'texts.last_modified_by').as('last_modified_by'),
    ])
    .where('tiles.project_id', '=', projectId)
    .where('tiles.dashboard_id', '=', dashboardId)
    // literals, because each parameter costs a binding
    .where(sql<boolean>`tiles.deleted = 0`)
    .where(sql<boolean>`(coalesce(insights.deleted, 0) = 0 or insights.deleted_with is not null)`)
    .orderBy('tiles.y')
    .orderBy('tiles.x')
    .orderBy('tiles.id'),
)

export type TileRow = Awaited<ReturnType<typeof listTiles>>[number]

/** Finds deleted tiles too: a client can restore one by its id. */
export function findTile(tx: Tx, projectId: number, dashboardId: number, id: number) {
  return tx
    .selectFrom('tiles')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('dashboard_id', '=', dashboardId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function findTileOfText(tx: Tx, projectId: number, dashboardId: number, textId: number) {
  return tx
    .selectFrom('tiles')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('dashboard_id', '=', dashboardId)
    .where('text_id', '=', textId)
    .orderBy('id')
    .executeTakeFirst()
}

/** Returns a tile's layouts as they were sent, and the position by which tiles are sorted. */
export const toLayoutColumns = (layouts: Layouts) => ({
  layouts: JSON.stringify(layouts),
  ...toSortPosition(layouts),
})

export interface NewTile {
  readonly projectId: number
  readonly dashboardId: number
  readonly insightId?: number
  readonly textId?: number
  readonly layouts: Layouts
  readonly color: string | null
  readonly showDescription?: Flag | null | undefined
  readonly section?: Section | null | undefined
  readonly filtersOverrides?: object | undefined
}

export async function insertTile(tx: Tx, tile: NewTile): Promise<void> {
  await tx
    .insertInto('tiles')
    .values({
      project_id: tile.projectId,
      dashboard_id: tile.dashboardId,
      insight_id: tile.insightId ?? null,
      text_id: tile.textId ?? null,
      ...toLayoutColumns(tile.layouts),
      color: tile.color,
      show_description: tile.showDescription ?? null,
      section: tile.section ?? null,
      filters_overrides: json(tile.filtersOverrides ?? {}),
      deleted: 0,
    })
    .execute()
}

interface TileUpdate {
  readonly layouts?: Layouts | undefined
  readonly color?: string | null | undefined
  readonly show_description?: Flag | null | undefined
  readonly section?: Section | null | undefined
  readonly deleted?: 0 | 1 | undefined
  readonly filtersOverrides?: object | undefined
}

export async function updateTile(
  tx: Tx,
  projectId: number,
  id: number,
  { layouts, filtersOverrides, ...others }: TileUpdate,
): Promise<void> {
  const change = {
    ...others,
    ...(layouts && toLayoutColumns(layouts)),
    ...(filtersOverrides && { filters_overrides: json(filtersOverrides) }),
  }
  if (Object.values(change).every((value) => value === undefined)) return
  await tx
    .updateTable('tiles')
    .set(change)
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute()
}

/** Takes an insight off a dashboard. */
export async function deleteInsightTiles(
  tx: Tx,
  projectId: number,
  dashboardId: number,
  insightId: number,
): Promise<void> {
  await tx
    .updateTable('tiles')
    .set({ deleted: 1 })
    .where('project_id', '=', projectId)
    .where('dashboard_id', '=', dashboardId)
    .where('insight_id', '=', insightId)
    .execute()
}

export async function insertText(
  tx: Tx,
  { projectId, userId }: { projectId: number; userId: number },
  body: string,
): Promise<number> {
  const { id } = await tx
    .insertInto('texts')
    .values({ project_id: projectId, body, created_by: userId, last_modified_at: now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns whether the text changed. */
export async function updateText(
  tx: Tx,
  { projectId, userId }: { projectId: number; userId: number },
  id: number,
  body: string,
): Promise<boolean> {
  const changed = await tx
    .updateTable('texts')
    .set({ body, last_modified_by: userId, last_modified_at: now() })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('body', '!=', body)
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

/** Lists what decides who can edit the dashboards that show a text. */
export const listDashboardsWithText = (
  tx: Tx,
  { projectId, userId }: { readonly projectId: number; readonly userId: number },
  textId: number,
): Promise<DashboardAccess[]> =>
  dashboardsWithLevel(tx, userId)
    .select(['dashboards.created_by', 'dashboards.restriction_level'])
    .where('dashboards.project_id', '=', projectId)
    .where('dashboards.id', 'in', (eb) =>
      eb
        .selectFrom('tiles')
        .select('tiles.dashboard_id')
        .where('tiles.text_id', '=', textId)
        .where('tiles.deleted', '=', 0),
    )
    .execute()
