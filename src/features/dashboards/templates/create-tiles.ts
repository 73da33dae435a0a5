import type { Caller } from '#server/access/guard.ts'
import type { Tx } from '#server/db/schema.ts'
import { flag, json } from '#server/db/values.ts'
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
    const { layouts, color, show_description, filters_overrides } = tile
    const content = await createContent(tx, caller, tile)
    await insertTile(tx, {
      ...{ projectId, dashboardId, layouts, color, ...content },
      section: tile.type === 'TEXT' ? tile.section : undefined,
      showDescription: show_description === undefined ? null : flag(show_description),
      filtersOverrides: filters_overrides,
    })
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
