import type { Caller } from '#server/access/guard.ts'
import type { Tx } from '#server/db/schema.ts'
import { insertInsight } from '../insights/store.ts'
import type { Template, TemplateTile } from '../templates/template.ts'
import { insertText, insertTile } from '../tiles/store.ts'

/** Makes each tile, and what it shows, anew. */
export async function createTilesFromTemplate(
  tx: Tx,
  caller: Caller,
  dashboardId: number,
  { tiles }: Template,
): Promise<void> {
  const { projectId } = caller
  for (const tile of tiles) {
    const { layouts, color } = tile
    const content = await makeContent(tx, caller, tile)
    await insertTile(tx, { projectId, dashboardId, ...content, layouts, color })
  }
}

async function makeContent(tx: Tx, caller: Caller, tile: TemplateTile) {
  if (tile.type === 'TEXT') return { textId: await insertText(tx, caller, tile.body) }
  const { name, description, query } = tile
  const insight = await insertInsight(tx, caller, { name, description, query, isSample: true })
  return { insightId: insight.id }
}
