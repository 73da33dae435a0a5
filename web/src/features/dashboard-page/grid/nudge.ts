import { collides, type Layout, type LayoutItem, moveElement } from 'react-grid-layout/core'
import { COLUMNS } from '#model/grid.ts'
import { compact } from './layout.ts'
import { isSame } from './tile-changes.ts'

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
