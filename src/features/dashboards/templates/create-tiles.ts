import type { Caller } from '#server/access/guard.ts'
import type { Tx } from '#server/db/schema.ts'
import { json } from '#server/db/values.ts'
import { insertInsight } from '../insight-rows/store.ts'
import { insertText, insertTile } from '../tiles/store.ts'
import type { Template, TemplateTile } from './template.ts'

export async function createTilesFromTemplate(
  tx: Tx,
  caller: Caller,
  dashboardId: number,
  { tiles }: Template,
): Promise<void> {
  const { projectId } = caller
  for (const tile of tiles) {
    const { layouts, color } = tile
    const section = tile.type === 'TEXT' ? tile.section : undefined
    const content = await createContent(tx, caller, tile)
    await insertTile(tx, { projectId, dashboardId, ...content, section, layouts, color })
  }
}

async function createContent(
  tx: Tx,
  caller: Caller,
  tile: TemplateTile,
): Promise<{ insightId: number } | { textId: number }> {
  if (tile.type === 'TEXT') return { textId: await insertText(tx, caller, tile.body) }
  const { name, description, query } = tile
  const columns = { name, description, query: json(query), is_sample: 1 as const }
  const { id } = await insertInsight(tx, caller, columns)
  return { insightId: id }
}
