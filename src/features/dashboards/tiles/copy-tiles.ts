import { toCopyName } from '#model/copy-name.ts'
import type { Caller } from '#server/access/guard.ts'
import type { Tx } from '#server/db/schema.ts'
import { insertInsight } from '../insights/store.ts'
import { insertText, insertTile, listTiles, type TileRow } from './store.ts'

/** `deep` copies what the tiles show; otherwise both dashboards show the same insights and texts. */
export async function copyTiles(
  tx: Tx,
  caller: Caller,
  from: number,
  to: number,
  { deep }: { deep: boolean },
): Promise<void> {
  for (const row of await listTiles(tx, caller.projectId, from)) {
    await insertTile(tx, {
      projectId: caller.projectId,
      dashboardId: to,
      ...(deep ? await copyContent(tx, caller, row) : sharedContent(row)),
      layouts: JSON.parse(row.layouts),
      color: row.color,
      filtersOverrides: JSON.parse(row.filters_overrides),
    })
  }
}

const sharedContent = ({ insight_id, text_id }: TileRow) => ({
  insightId: insight_id ?? undefined,
  textId: text_id ?? undefined,
})

async function copyContent(tx: Tx, caller: Caller, row: TileRow) {
  if (row.text_id !== null) return { textId: await insertText(tx, caller, row.body as string) }
  const { id: insightId } = await insertInsight(tx, caller, {
    name: toCopyName(row.name as string),
    description: row.description as string,
    query: JSON.parse(row.query as string),
    tags: JSON.parse(row.tags as string),
  })
  return { insightId }
}
