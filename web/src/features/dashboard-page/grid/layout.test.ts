import { describe, expect, it } from 'vitest'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { placeBelowTiles, toColumn, toLayout } from './layout.ts'
import { nudge } from './nudge.ts'
import { toTileChanges } from './tile-changes.ts'

const tile = (id: number, sm?: object): Tile =>
  ({ id, layouts: sm ? { sm, xs: { kept: true } } : {} }) as unknown as Tile

const LEFT = tile(1, { x: 0, y: 0, w: 6, h: 5 })
const RIGHT = tile(2, { x: 6, y: 0, w: 6, h: 5 })
const BELOW = tile(3, { x: 0, y: 5, w: 6, h: 4 })
const ALL = [LEFT, RIGHT, BELOW]

const placesOf = (layout: ReturnType<typeof toLayout>) =>
  Object.fromEntries(layout.map(({ i, x, y, w, h }) => [i, [x, y, w, h]]))

describe('layout', () => {
  it('keeps saved positions, and puts tiles without one below', () => {
    const layout = toLayout([...ALL, tile(4), tile(5)])

    expect(placesOf(layout)).toEqual({
      1: [0, 0, 6, 5],
      2: [6, 0, 6, 5],
      3: [0, 5, 6, 4],
      4: [0, 9, 6, 5],
      5: [6, 5, 6, 5],
    })
  })

  it('keeps any tiles inside the grid and apart', () => {
    const strange = [
      tile(1, { x: 99, y: 0, w: 40, h: 0 }),
      tile(2, { x: 'a', y: null, w: -3, h: Number.NaN }),
      tile(3, { x: 0, y: 0, w: 6, h: 5 }),
    ]

    const layout = toLayout(strange)

    for (const { x, w, h } of layout) {
      expect(x + w).toBeLessThanOrEqual(12)
      expect(h).toBeGreaterThan(0)
    }
    expect(new Set(layout.map(({ x, y }) => `${x} ${y}`)).size).toBe(3)
  })

  it('stacks tiles on a phone, in reading order', () => {
    const column = toColumn(toLayout(ALL))

    expect(column.map(({ i, x, y, w }) => [i, x, y, w])).toEqual([
      ['1', 0, 0, 1],
      ['2', 0, 5, 1],
      ['3', 0, 10, 1],
    ])
  })

  it('puts a new tile below all others', () => {
    expect(placeBelowTiles(ALL, { w: 12 })).toEqual({ sm: { x: 0, y: 9, w: 12, h: 5 } })
    expect(placeBelowTiles([])).toMatchObject({ sm: { y: 0 } })
  })
})

describe('changes of a layout', () => {
  it('are none if nothing moved', () => {
    expect(toTileChanges(ALL, toLayout(ALL))).toEqual([])
  })

  it('contain moved tiles only, and keep their other layouts', () => {
    const layout = toLayout(ALL).map((item) => (item.i === '3' ? { ...item, x: 6 } : item))

    expect(toTileChanges(ALL, layout)).toEqual([
      { id: 3, layouts: { sm: { x: 6, y: 5, w: 6, h: 4 }, xs: { kept: true } } },
    ])
  })
})

describe('moving by keyboard', () => {
  it.each([
    [3, 'up', { 3: [0, 0, 6, 4], 1: [0, 4, 6, 5] }],
    [1, 'down', { 3: [0, 0, 6, 4], 1: [0, 4, 6, 5] }],
    [3, 'right', { 3: [1, 5, 6, 4] }],
    [1, 'taller', { 1: [0, 0, 6, 6], 3: [0, 6, 6, 4] }],
    [1, 'shorter', { 1: [0, 0, 6, 4], 3: [0, 4, 6, 4] }],
    [3, 'wider', { 3: [0, 5, 7, 4] }],
    [2, 'narrower', { 2: [6, 0, 5, 5] }],
    [2, 'wider', { 2: [5, 0, 7, 5] }],
  ] as const)('moves tile %i %s', (id, how, wanted) => {
    expect(placesOf(nudge(toLayout(ALL), id, how))).toMatchObject(wanted)
  })

  it.each([
    [1, 'left'],
    [1, 'up'],
    [2, 'right'],
    [3, 'down'],
  ] as const)('keeps tile %i in place if it cannot go %s', (id, how) => {
    const layout = toLayout(ALL)

    expect(nudge(layout, id, how)).toBe(layout)
  })

  it('keeps the minimum size', () => {
    let layout = toLayout([tile(1, { x: 0, y: 0, w: 3, h: 3 })])
    for (let times = 0; times < 5; times++) {
      layout = nudge(nudge(layout, 1, 'narrower'), 1, 'shorter')
    }

    expect(placesOf(layout)).toEqual({ 1: [0, 0, 2, 2] })
  })
})
