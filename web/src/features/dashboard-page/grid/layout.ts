import {
  collides,
  correctBounds,
  type Layout,
  type LayoutItem,
  moveElement,
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
import { fieldsOf } from '#model/json.ts'
import type { Tile, TileInput } from '#server/features/dashboards/tiles/schema.ts'

const MINIMUM = { minW: MIN_SIZE.w, minH: MIN_SIZE.h }

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

const toItem = ({ id, layouts }: Tile, otherwise?: Partial<Position>): LayoutItem => ({
  ...MINIMUM,
  i: `${id}`,
  ...toPosition(layouts, otherwise),
})

const layoutBottom = (layout: Layout): number => Math.max(0, ...layout.map(({ y, h }) => y + h))

/** Keeps tiles inside the grid, without overlaps or gaps above. */
const compact = (layout: readonly LayoutItem[]): Layout =>
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

/** Lists the changes of the tiles that moved. */
export function toTileChanges(tiles: readonly Tile[], layout: Layout): TileInput[] {
  const before = new Map(toLayout(tiles).map((item) => [item.i, item]))
  return layout.flatMap((item) => {
    const tile = tiles.find(({ id }) => `${id}` === item.i)
    const old = before.get(item.i)
    if (!tile || !old || isSame(old, item)) return []
    const { x, y, w, h } = item
    return [
      {
        id: tile.id,
        layouts: { ...tile.layouts, sm: { ...fieldsOf(fieldsOf(tile.layouts).sm), x, y, w, h } },
      },
    ]
  })
}

const isSame = (a: Position, b: Position): boolean =>
  a.x === b.x && a.y === b.y && a.w === b.w && a.h === b.h

export const NUDGES = {
  left: 'Move left',
  right: 'Move right',
  up: 'Move up',
  down: 'Move down',
  wider: 'Make wider',
  narrower: 'Make narrower',
  taller: 'Make taller',
  shorter: 'Make shorter',
} as const
export type Nudge = keyof typeof NUDGES

/** Moves or resizes a tile by keyboard. Returns the same layout if the tile cannot move. */
export function nudge(layout: Layout, id: number, how: Nudge): Layout {
  const copy = layout.map((item) => ({ ...item }))
  const item = copy.find(({ i }) => i === `${id}`)
  if (!item) return layout
  const moved = how in RESIZES ? resizeItem(copy, item, how) : shiftItem(copy, item, how)
  const settled = compact(moved)
  const isStill = settled.every((now) => {
    const before = layout.find(({ i }) => i === now.i)
    return before !== undefined && isSame(before, now)
  })
  return isStill ? layout : settled
}

const RESIZES: Partial<Record<Nudge, readonly [w: number, h: number]>> = {
  wider: [1, 0],
  narrower: [-1, 0],
  taller: [0, 1],
  shorter: [0, -1],
}

function resizeItem(layout: LayoutItem[], item: LayoutItem, how: Nudge): readonly LayoutItem[] {
  const [w, h] = RESIZES[how] ?? [0, 0]
  const width = Math.min(COLUMNS, Math.max(item.minW ?? 1, item.w + w))
  // a tile at the right edge grows to the left
  const x = Math.min(item.x, COLUMNS - width)
  const height = Math.max(item.minH ?? 1, item.h + h)
  const grown = { ...item, x, w: width, h: height }
  const pushed = layout
    .filter(({ i }) => i !== item.i)
    .map((other) => (collides(other, grown) ? { ...other, y: grown.y + grown.h } : other))
  return [grown, ...pushed]
}

/** Moves up and down by whole tiles, because compaction would undo a move by one row. */
function shiftItem(layout: LayoutItem[], item: LayoutItem, how: Nudge): readonly LayoutItem[] {
  const overlaps = (other: LayoutItem) => other.x < item.x + item.w && item.x < other.x + other.w
  const others = layout.filter((other) => other.i !== item.i && overlaps(other))
  const above = others.filter(({ y }) => y < item.y).sort((a, b) => b.y - a.y)[0]
  const below = others.filter(({ y }) => y > item.y).sort((a, b) => a.y - b.y)[0]
  const [x, y] = {
    left: [item.x - 1, item.y],
    right: [item.x + 1, item.y],
    up: [item.x, above?.y ?? item.y],
    down: [item.x, below ? below.y + below.h : item.y],
  }[how as 'left' | 'right' | 'up' | 'down'] as [number, number]
  if (x < 0 || x + item.w > COLUMNS) return layout
  return moveElement(layout, item, x, y, true, false, 'vertical', COLUMNS)
}
