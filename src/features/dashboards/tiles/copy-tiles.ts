import { toCopyName } from '#model/copy-name.ts'
import type { Caller } from '#server/access/guard.ts'
import type { Tx } from '#server/db/schema.ts'
import { insertInsight } from '../insight-rows/store.ts'
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
      section: row.section,
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
