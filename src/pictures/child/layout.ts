import { COLUMNS, type PackedTile } from '#model/grid.ts'
import type { TilePicture } from '../contract.ts'

/**
 * Splits the grid into pages of `rows` rows. A tile that would cross a page break starts the next page, followed by the
 * tiles below it; a tile higher than a page gets the height of a page. The title of a section stays with the next tile.
 */
export function toPages(
  tiles: readonly PackedTile<TilePicture>[],
  rows: number,
  firstRows = rows,
): PackedTile<TilePicture>[][] {
  const pages: PackedTile<TilePicture>[][] = [[]]
  let filled = new Array<number>(COLUMNS).fill(0)
  const sorted = [...tiles].sort((a, b) => a.y - b.y || a.x - b.x)
  for (const [at, tile] of sorted.entries()) {
    const pageRows = () => (pages.length === 1 ? firstRows : rows)
    const h = Math.min(tile.h, pageRows())
    let y = Math.max(...filled.slice(tile.x, tile.x + tile.w))
    const below = tile.tile.section ? Math.min(sorted[at + 1]?.h ?? 0, pageRows() - h) : 0
    if (y + h + below > pageRows()) {
      pages.push([])
      filled = new Array<number>(COLUMNS).fill(0)
      y = 0
    }
    filled.fill(y + h, tile.x, tile.x + tile.w)
    pages.at(-1)?.push({ ...tile, y, h })
  }
  return pages
}
