import {
  correctBounds,
  type Layout,
  type LayoutItem,
  verticalCompactor,
} from 'react-grid-layout/core'
import {
  COLUMNS,
  DEFAULT_SIZE,
  hasPosition,
  MIN_SIZE,
  type Position,
  toPosition,
} from '#model/grid.ts'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'

const MINIMUM = { minW: MIN_SIZE.w, minH: MIN_SIZE.h }
/** The title of a section has one size. */
const FIXED = { isResizable: false }

/** Returns the position of each tile on a desktop. Tiles without one follow below the others, two in a row. */
export function toLayout(tiles: readonly Tile[]): Layout {
  const items = tiles.filter(({ layouts }) => hasPosition(layouts)).map((tile) => toItem(tile))
  const unplaced = tiles.filter(({ layouts }) => !hasPosition(layouts))
  const bottom = layoutBottom(items)
  const below = unplaced.map((tile, index) =>
    toItem(tile, {
      x: (index % 2) * DEFAULT_SIZE.w,
      y: bottom + Math.floor(index / 2) * DEFAULT_SIZE.h,
    }),
  )
  return compact([...items, ...below])
}

const toItem = (tile: Tile, otherwise?: Partial<Position>): LayoutItem => ({
  ...(tile.section ? FIXED : MINIMUM),
  i: `${tile.id}`,
  ...toPosition(tile, otherwise),
})

export const layoutBottom = (layout: Layout): number =>
  Math.max(0, ...layout.map(({ y, h }) => y + h))

/** Keeps tiles inside the grid, without overlaps or gaps above. */
export const compact = (layout: readonly LayoutItem[]): Layout =>
  verticalCompactor.compact(
    correctBounds(
      layout.map((item) => ({ ...item })),
      { cols: COLUMNS },
    ),
    COLUMNS,
  )

/** Stacks tiles in reading order, for phones. */
export function toColumn(layout: Layout): Layout {
  let y = 0
  return [...layout]
    .sort((a, b) => a.y - b.y || a.x - b.x)
    .map(({ i, h }) => {
      const item = { i, x: 0, y, w: 1, h }
      y += h
      return item
    })
}

/** Position below all tiles, for a new tile. */
export const placeBelowTiles = (tiles: readonly Tile[], size: Partial<Position> = {}): object => ({
  sm: { x: 0, y: layoutBottom(toLayout(tiles)), ...DEFAULT_SIZE, ...size },
})
