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

/** Returns what a copy has besides its content: the look of the tile, and its own dates and filters. */
const toOwn = ({ color, show_description, section, filters_overrides }: Tile): TileInput => ({
  color,
  show_description,
  section,
  filters_overrides,
})

/** Copies tiles with their own insights and texts, so editing one does not change the other. */
export const toDuplicates = (block: readonly Tile[], tiles: readonly Tile[]): TileInput[] => {
  const places = placeBlock(block, tiles)
  return block.map((tile, index) => {
    const { insight, text, section } = tile
    const own = { ...toOwn(tile), layouts: places[index] as object }
    if (!insight) {
      const body = text?.body ?? ''
      return { ...own, text: { body: section ? toCopyName(body) : body } }
    }
    const { name, description, query } = insight
    return { ...own, insight: { name: toCopyName(name), description, query } }
  })
}

/** Links the same insights, and copies the texts, for another dashboard with these tiles. */
export function toTransferred(block: readonly Tile[], others: readonly Tile[]): TileInput[] {
  const places = placeBlock(block, others)
  return block.map((tile, index) => {
    const { insight, text } = tile
    const own = { ...toOwn(tile), layouts: places[index] as object }
    return insight
      ? { ...own, insight: { id: insight.id } }
      : { ...own, text: { body: text?.body ?? '' } }
  })
}
