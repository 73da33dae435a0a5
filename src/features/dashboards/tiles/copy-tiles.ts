import { toCopyName } from '#model/copy-name.ts'
import type { Caller } from '#server/access/guard.ts'
import type { Tx } from '#server/db/schema.ts'
import { json } from '#server/db/values.ts'
import { insertInsight } from '../insights/store.ts'
import type { Template, TemplateTile } from '../templates/template.ts'
import { insertText, insertTile, listTiles, type TileRow } from './store.ts'

type Content = { readonly insightId?: number; readonly textId?: number }

interface CopyInput {
  /** The ids of the dashboards. */
  readonly from: number
  readonly to: number
  /** Copies the insights and texts too; otherwise both dashboards show the same ones. */
  readonly deep: boolean
}

export async function copyTiles(
  tx: Tx,
  caller: Caller,
  { from, to, deep }: CopyInput,
): Promise<void> {
  for (const row of await listTiles(tx, caller.projectId, from)) {
    await insertTile(tx, {
      projectId: caller.projectId,
      dashboardId: to,
      ...(deep ? await copyContent(tx, caller, row) : toSharedContent(row)),
      layouts: JSON.parse(row.layouts),
      color: row.color,
      showDescription: row.show_description,
      filtersOverrides: JSON.parse(row.filters_overrides),
    })
  }
}

const toSharedContent = ({ insight_id, text_id }: TileRow): Content =>
  insight_id === null ? { textId: text_id as number } : { insightId: insight_id }

async function copyContent(tx: Tx, caller: Caller, row: TileRow): Promise<Content> {
  if (row.text_id !== null) return { textId: await insertText(tx, caller, row.body as string) }
  const { id } = await insertInsight(tx, caller, {
    name: toCopyName(row.name as string),
    description: row.description as string,
    query: row.query as string,
    tags: row.tags as string,
  })
  return { insightId: id }
}

export async function createTilesFromTemplate(
  tx: Tx,
  caller: Caller,
  dashboardId: number,
  { tiles }: Template,
): Promise<void> {
  const { projectId } = caller
  for (const tile of tiles) {
    const { layouts, color } = tile
    const content = await createContent(tx, caller, tile)
    await insertTile(tx, { projectId, dashboardId, ...content, layouts, color })
  }
}

async function createContent(tx: Tx, caller: Caller, tile: TemplateTile): Promise<Content> {
  if (tile.type === 'TEXT') return { textId: await insertText(tx, caller, tile.body) }
  const { name, description, query } = tile
  const columns = { name, description, query: json(query), is_sample: 1 as const }
  const { id } = await insertInsight(tx, caller, columns)
  return { insightId: id }
}
