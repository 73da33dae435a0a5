import { toCopyName } from '#model/copy-name.ts'
import type { Tile, TileInput } from '#server/features/dashboards/tiles/schema.ts'
import { layoutBottom, toLayout } from '../grid/layout.ts'

/** Places tiles below others as they are to each other, the leftmost at the left edge. */
function placeBlock(block: readonly Tile[], tiles: readonly Tile[]): object[] {
  const items = new Map(toLayout(block).map((item) => [item.i, item]))
  const [left, bottom] = [
    Math.min(...[...items.values()].map(({ x }) => x)),
    layoutBottom(toLayout(tiles)),
  ]
  return block.map(({ id }) => {
    const { x = 0, y = 0, w, h } = items.get(`${id}`) ?? {}
    return { sm: { x: x - left, y: bottom + y, w, h } }
  })
}

/** Copies tiles with their own insights and texts, so editing one does not change the other. */
export const toDuplicates = (block: readonly Tile[], tiles: readonly Tile[]): TileInput[] => {
  const places = placeBlock(block, tiles)
  return block.map(({ insight, text, color, show_description, section }, index) => {
    const layouts = places[index] as object
    if (!insight) {
      const body = text?.body ?? ''
      return { layouts, color, section, text: { body: section ? toCopyName(body) : body } }
    }
    const { name, description, query } = insight
    const copy = { name: toCopyName(name), description, query }
    return { layouts, color, show_description, insight: copy }
  })
}

/** Links the same insights, and copies the texts, for another dashboard with these tiles. */
export function toTransferred(block: readonly Tile[], others: readonly Tile[]): TileInput[] {
  const places = placeBlock(block, others)
  return block.map(({ insight, text, color, show_description, section }, index) => {
    const layouts = places[index] as object
    if (insight) return { layouts, color, show_description, insight: { id: insight.id } }
    return { layouts, color, section, text: { body: text?.body ?? '' } }
  })
}
