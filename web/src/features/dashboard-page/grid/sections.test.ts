import { describe, expect, it } from 'vitest'
import type { Section } from '#model/grid.ts'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { toLayout } from './layout.ts'
import { swapSections } from './moves.ts'
import { nudge } from './nudge.ts'
import { listEntered, restoreFolded } from './restore-folded.ts'
import { hideFolded, listMembers, toSections } from './sections.ts'
import { toTileChanges } from './tile-changes.ts'

const tile = (id: number, y: number, h = 4, section: Section | null = null): Tile =>
  ({ id, section, layouts: { sm: { x: 0, y, w: 6, h } } }) as unknown as Tile

/** One tile above section 10 with two tiles and section 20 with one. */
const TILES = [
  tile(1, 0),
  tile(10, 4, 1, 'folded'),
  tile(2, 5),
  tile(3, 9),
  tile(20, 13, 1, 'open'),
  tile(4, 14),
]
const LAYOUT = toLayout(TILES)
const SECTIONS = toSections(TILES, {})

const rowsOf = (layout: ReturnType<typeof toLayout>) =>
  Object.fromEntries(layout.map(({ i, y }) => [i, y]))

describe('the grid of a dashboard with sections', () => {
  it('leaves out the tiles of folded sections', () => {
    expect(rowsOf(hideFolded(LAYOUT, SECTIONS))).toEqual({ 1: 0, 10: 4, 20: 5, 4: 6 })
    expect(hideFolded(LAYOUT, toSections(TILES, { 10: 'open' }))).toHaveLength(6)
  })

  it('drags only folded sections, by their title', () => {
    const draggable = hideFolded(LAYOUT, SECTIONS).filter(({ isDraggable }) => isDraggable)

    expect(draggable.map(({ i }) => i)).toEqual(['10'])
  })

  it('changes nothing if nothing moved', () => {
    const restored = restoreFolded(hideFolded(LAYOUT, SECTIONS), LAYOUT, SECTIONS)

    expect(rowsOf(restored)).toEqual(rowsOf(LAYOUT))
    expect(toTileChanges(TILES, restored)).toEqual([])
  })

  it('moves the hidden tiles with their title', () => {
    const shown = hideFolded(LAYOUT, SECTIONS).map((item) =>
      item.i === '10' ? { ...item, y: 99 } : item,
    )

    const restored = rowsOf(restoreFolded(shown, LAYOUT, SECTIONS))

    expect(restored).toEqual({ 1: 0, 20: 4, 4: 5, 10: 9, 2: 10, 3: 14 })
  })

  it('puts a tile that is dropped on a folded section after its hidden tiles', () => {
    const shown = nudge(hideFolded(LAYOUT, SECTIONS), 1, 'down')

    expect(listEntered(shown, SECTIONS)).toEqual([10])
    expect(rowsOf(restoreFolded(shown, LAYOUT, SECTIONS))).toEqual({
      ...{ 10: 0, 2: 1, 3: 5, 1: 9 },
      ...{ 20: 13, 4: 14 },
    })
  })

  it('moves a section with its tiles past its neighbor', () => {
    const moved = swapSections(LAYOUT, 20, -1, SECTIONS)

    expect(rowsOf(moved)).toEqual({ 1: 0, 20: 4, 4: 5, 10: 9, 2: 10, 3: 14 })
    expect(rowsOf(swapSections(moved, 20, 1, SECTIONS))).toEqual(rowsOf(LAYOUT))
    for (const [id, by] of [
      [10, -1],
      [20, 1],
    ] as const) {
      expect(swapSections(LAYOUT, id, by, SECTIONS)).toBe(LAYOUT)
    }
  })

  it('lists the tiles of a section', () => {
    expect(listMembers(TILES, { id: 10 }).map(({ id }) => id)).toEqual([2, 3])
    expect(listMembers(TILES, { id: 20 }).map(({ id }) => id)).toEqual([4])
  })
})
