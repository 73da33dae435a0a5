import { toCopyName } from '#model/copy-name.ts'
import type { Tile, TileInput } from '#server/features/dashboards/tiles/schema.ts'
import { placeBelowTiles } from '../grid/layout.ts'

type Size = { readonly w?: number; readonly h?: number }

function toSize({ layouts }: Tile): Size {
  const { w, h } = ((layouts as { sm?: Size }).sm ?? {}) as Size
  return { ...(w !== undefined && { w }), ...(h !== undefined && { h }) }
}

/** Copies the tile with its own insight or text, so editing one does not change the other. */
export function toDuplicate(tile: Tile, tiles: readonly Tile[]): TileInput {
  const { insight, text, color, show_description } = tile
  const layouts = placeBelowTiles(tiles, toSize(tile))
  if (!insight) return { layouts, color, text: { body: text?.body ?? '' } }
  const { name, description, query } = insight
  const copy = { name: toCopyName(name), description, query }
  return { layouts, color, show_description, insight: copy }
}

/** Links the same insight, or copies the text, for another dashboard. */
export function toTransferred({ insight, text, color, show_description }: Tile): TileInput {
  if (insight) return { color, show_description, insight: { id: insight.id } }
  return { color, text: { body: text?.body ?? '' } }
}
