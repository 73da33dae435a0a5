import type { TemplateTileInput } from './schema.ts'
import type { TemplateTile } from './template.ts'

/** What a dashboard can show of the tiles of a template, as they were sent. */
export const toTemplateTiles = (tiles: readonly TemplateTileInput[]): TemplateTile[] =>
  tiles.flatMap((tile) => toTile(tile) ?? [])

function toTile(tile: TemplateTileInput): TemplateTile | undefined {
  const look = { color: tile.color ?? null, layouts: tile.layouts ?? {} }
  if (tile.type === 'TEXT') return { type: 'TEXT', body: tile.body ?? '', ...look }
  if (tile.type !== 'INSIGHT') return undefined
  const { name, description, query } = tile
  return {
    ...{ type: 'INSIGHT', name: name ?? '', description: description ?? '', query: query ?? {} },
    ...look,
  }
}
