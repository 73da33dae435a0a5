import {
  collides,
  correctBounds,
  type Layout,
  type LayoutItem,
  moveElement,
  verticalCompactor,
} from 'react-grid-layout/core'
import type { Tile, TileInput } from '#server/features/dashboards/tiles/schema.ts'

export const COLUMNS = 12
export const ROW_HEIGHT = 64
export const GAP = 16

const SIZE = { w: 6, h: 5 }
const SMALLEST = { minW: 2, minH: 2 }

type Place = Pick<LayoutItem, 'x' | 'y' | 'w' | 'h'>

const numberOr = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.round(value)) : otherwise

const placeOf = (tile: Tile): Record<string, unknown> | undefined => {
  const place = (tile.layouts as Record<string, unknown>).sm
  return typeof place === 'object' && place !== null
    ? (place as Record<string, unknown>)
    : undefined
}

/** Where each tile stands on a desktop. Those that do not say go below the others. */
export function toLayout(tiles: readonly Tile[]): Layout {
  const placed = tiles.filter((tile) => placeOf(tile) !== undefined).map(toItem)
  const below = tiles
    .filter((tile) => placeOf(tile) === undefined)
    .map((tile, index) => ({
      ...SMALLEST,
      ...SIZE,
      i: `${tile.id}`,
      x: (index % 2) * SIZE.w,
      y: bottomOf(placed) + Math.floor(index / 2) * SIZE.h,
    }))
  return settle([...placed, ...below])
}

function toItem(tile: Tile): LayoutItem {
  const { x, y, w, h } = placeOf(tile) ?? {}
  return {
    ...SMALLEST,
    i: `${tile.id}`,
    x: numberOr(x, 0),
    y: numberOr(y, 0),
    w: Math.min(COLUMNS, Math.max(1, numberOr(w, SIZE.w))),
    h: Math.max(1, numberOr(h, SIZE.h)),
  }
}

const bottomOf = (layout: Layout): number => Math.max(0, ...layout.map(({ y, h }) => y + h))

/** Inside of the grid, none over another, and no gaps above. */
const settle = (layout: readonly LayoutItem[]): Layout =>
  verticalCompactor.compact(
    correctBounds(
      layout.map((item) => ({ ...item })),
      { cols: COLUMNS },
    ),
    COLUMNS,
  )

/** On a phone one stands below the other, as they are read. */
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

/** Where a new tile of this size goes. */
export const placeBelow = (tiles: readonly Tile[], size: Partial<Place> = {}): object => ({
  sm: { x: 0, y: bottomOf(toLayout(tiles)), ...SIZE, ...size },
})

/** What to say to the server of the tiles that moved; nothing of the others. */
export function toTileChanges(tiles: readonly Tile[], layout: Layout): TileInput[] {
  const before = new Map(toLayout(tiles).map((item) => [item.i, item]))
  return layout.flatMap((item) => {
    const tile = tiles.find(({ id }) => `${id}` === item.i)
    const old = before.get(item.i)
    if (!tile || !old || isSame(old, item)) return []
    const { x, y, w, h } = item
    return [{ id: tile.id, layouts: { ...tile.layouts, sm: { ...placeOf(tile), x, y, w, h } } }]
  })
}

const isSame = (a: Place, b: Place): boolean =>
  a.x === b.x && a.y === b.y && a.w === b.w && a.h === b.h

export const NUDGES = {
  left: 'Move left',
  right: 'Move right',
  up: 'Move up',
  down: 'Move down',
  wider: 'Wider',
  narrower: 'Narrower',
  taller: 'Taller',
  shorter: 'Shorter',
} as const
export type Nudge = keyof typeof NUDGES

/** By the keyboard. The layout itself when there is no way to go. */
export function nudge(layout: Layout, id: number, how: Nudge): Layout {
  const copy = layout.map((item) => ({ ...item }))
  const item = copy.find(({ i }) => i === `${id}`)
  if (!item) return layout
  const moved = how in RESIZES ? resized(copy, item, how) : shifted(copy, item, how)
  const settled = settle(moved)
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

function resized(layout: LayoutItem[], item: LayoutItem, how: Nudge): readonly LayoutItem[] {
  const [w, h] = RESIZES[how] ?? [0, 0]
  const width = Math.min(COLUMNS, Math.max(item.minW ?? 1, item.w + w))
  // what stands at the right edge grows to the left
  const x = Math.min(item.x, COLUMNS - width)
  const height = Math.max(item.minH ?? 1, item.h + h)
  const grown = { ...item, x, w: width, h: height }
  const pushed = layout
    .filter(({ i }) => i !== item.i)
    .map((other) => (collides(other, grown) ? { ...other, y: grown.y + grown.h } : other))
  return [grown, ...pushed]
}

/** Up and down by whole tiles: a row at a time would be undone by what is above. */
function shifted(layout: LayoutItem[], item: LayoutItem, how: Nudge): readonly LayoutItem[] {
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
