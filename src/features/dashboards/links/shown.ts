import { COLUMNS } from '#model/grid.ts'
import { toInsightTitle } from '#model/insight-title.ts'
import type { Db } from '#server/db/schema.ts'
import { type FindMarks, findMarks, NO_MARKS } from '../annotations/marks.ts'
import type { DashboardFilters } from '../dashboards/tile-results.ts'
import { findInsight, type InsightRow } from '../insight-rows/store.ts'
import type { LinkRow } from '../link-store.ts'
import { listTiles, type TileRow } from '../tiles/store.ts'
import { findSnapshotHead } from './snapshot-store.ts'

/** The dashboard that a link shows, or the insight as a dashboard with one tile. */
export interface Shown extends DashboardFilters {
  readonly id: number
  readonly noun: 'dashboard' | 'insight'
  readonly name: string
  readonly description: string
  readonly tags: string
  readonly created_at: string
  /** Changes with what it shows. */
  readonly version: string
  /** Whether the first link is turned on. */
  readonly isShared: boolean
  /** The only tile of an insight. */
  readonly tile?: TileRow
}

type ShownPlace = Pick<LinkRow, 'project_id' | 'dashboard_id' | 'insight_id'>

/** The columns of a link that say what it shows. */
export type LinkPage = ShownPlace & Pick<LinkRow, 'id' | 'shows_annotations' | 'snapshot_at'>

/** Rows of the grid that the only tile of a page takes. */
const HEIGHT = 8
const LAYOUTS = JSON.stringify({ sm: { x: 0, y: 0, w: COLUMNS, h: HEIGHT } })

/** Finds the dashboard or insight of a link, as it was if the link is frozen, unless it is in the trash now. */
export async function findShown(db: Db, link: LinkPage): Promise<Shown | undefined> {
  const current = await findCurrent(db, link)
  if (!current || link.snapshot_at === null) return current
  const { content } = await findSnapshotHead(db, link.id)
  const version = `link ${link.id} ${link.snapshot_at}`
  return { ...(JSON.parse(content) as Shown), isShared: current.isShared, version }
}

/** Finds a dashboard or an insight as it is now, unless it is in the trash. */
export async function findCurrent(db: Db, link: ShownPlace): Promise<Shown | undefined> {
  if (link.insight_id === null) return findDashboard(db, link)
  const insight = await findInsight(db, link.project_id, link.insight_id)
  return insight && !insight.deleted ? toShown(insight) : undefined
}

async function findDashboard(db: Db, { dashboard_id }: ShownPlace): Promise<Shown | undefined> {
  const row = await db
    .selectFrom('dashboards')
    .selectAll()
    .where('id', '=', dashboard_id)
    .where('deleted', '=', 0)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, project_id, description, filters, variables, tags, created_at, version } = row
  return {
    ...{ id, project_id, description, filters, variables, tags, created_at },
    noun: 'dashboard',
    name: row.name || 'Dashboard',
    version: String(version),
    isShared: row.is_shared === 1,
  }
}

const toShown = (insight: InsightRow): Shown => {
  const { id, project_id, description, tags, created_at } = insight
  return {
    ...{ id, project_id, description, tags, created_at },
    noun: 'insight',
    name: toInsightTitle(insight),
    filters: '{}',
    variables: '{}',
    version: `${insight.last_modified_at} ${insight.query}`,
    isShared: false,
    tile: toTile(insight),
  }
}

const toTile = (insight: InsightRow): TileRow => ({
  ...insight,
  insight_id: insight.id,
  text_id: null,
  body: null,
  layouts: LAYOUTS,
  color: null,
  filters_overrides: '{}',
  show_description: null,
  section: null,
})

export const listShownTiles = async (
  db: Db,
  { id, project_id, tile }: Shown,
): Promise<readonly TileRow[]> => (tile ? [tile] : listTiles(db, project_id, id))

/** Finds the annotations that charts show to visitors of a link. */
export async function findShownMarks(
  db: Db,
  { project_id, shows_annotations }: Pick<LinkPage, 'project_id' | 'shows_annotations'>,
  { noun, id }: Shown,
): Promise<(tile: TileRow) => ReturnType<FindMarks>> {
  const toMarks = shows_annotations ? await findMarks(db, project_id, true) : NO_MARKS
  const place = noun === 'dashboard' ? { dashboardId: id } : {}
  return ({ insight_id }) => toMarks({ ...place, insightId: insight_id })
}
