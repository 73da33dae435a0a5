import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COLUMNS, type Position, packTiles } from '#model/grid.ts'
import { place } from '../../../test/pictures/dashboard.ts'
import type { TilePicture } from '../contract.ts'
import { toPages } from './layout.ts'

const tile = (layouts: object, title = ''): TilePicture => ({ title, color: null, layouts })

const places = (tiles: TilePicture[], isSingleColumn = false) =>
  packTiles(tiles, { isSingleColumn }).map(({ x, y, w, h }) => [x, y, w, h])

const overlap = (one: Position, other: Position): boolean =>
  one.x < other.x + other.w &&
  other.x < one.x + one.w &&
  one.y < other.y + other.h &&
  other.y < one.y + one.h

const anyLayouts = fc.oneof(
  fc.anything().map((sm) => ({ sm })),
  fc.record({
    sm: fc.record({ x: fc.integer(), y: fc.integer(), w: fc.integer(), h: fc.double() }),
  }),
  fc.record({ sm: fc.record({ x: fc.nat(11), y: fc.nat(30), w: fc.nat(12), h: fc.nat(9) }) }),
)

describe('tile layout', () => {
  it('follows the stored positions and closes vertical gaps', () => {
    const tiles = [tile(place(6, 0, 6, 5)), tile(place(0, 0, 6, 5)), tile(place(0, 90, 12, 4))]

    expect(places(tiles)).toEqual([
      [0, 0, 6, 5],
      [6, 0, 6, 5],
      [0, 5, 12, 4],
    ])
  })

  it('stacks tiles in a single column', () => {
    expect(places([tile(place(6, 0, 6, 5)), tile(place(0, 0, 6, 3))], true)).toEqual([
      [0, 0, 12, 3],
      [0, 3, 12, 5],
    ])
  })

  it.each([
    ['no position', {}],
    ['a string as position', { sm: 'here' }],
    ['invalid numbers', { sm: { x: Number.NaN, y: null, w: 'wide', h: {} } }],
  ])('appends a tile with %s', (_, layouts) => {
    expect(places([tile(layouts), tile(place(0, 3, 12, 2))])).toEqual([
      [0, 0, 12, 2],
      [0, 2, 6, 5],
    ])
  })

  it('accepts numbers as strings', () => {
    expect(places([tile({ sm: { x: '6', y: '0', w: '6', h: '4' } })])).toEqual([[6, 0, 6, 4]])
  })

  it('never overlaps tiles, for any layouts', () => {
    fc.assert(
      fc.property(fc.array(anyLayouts, { maxLength: 12 }), fc.boolean(), (all, isSingleColumn) => {
        const placed = packTiles(
          all.map((layouts) => tile(layouts)),
          { isSingleColumn },
        )
        const pages = [placed, ...toPages(placed, 13, 11)]

        for (const page of pages) {
          for (const [at, one] of page.entries()) {
            expect(one.x >= 0 && one.x + one.w <= COLUMNS && one.h > 0).toBe(true)
            expect(page.slice(at + 1).filter((other) => overlap(one, other))).toEqual([])
          }
        }
        expect(pages.slice(1).flat()).toHaveLength(all.length)
      }),
    )
  })

  it('never splits a tile across pages', () => {
    fc.assert(
      fc.property(fc.array(anyLayouts, { maxLength: 12 }), (all) => {
        const placed = packTiles(all.map((layouts) => tile(layouts)))

        for (const [page, tiles] of toPages(placed, 13, 11).entries()) {
          for (const { y, h } of tiles) expect(y + h).toBeLessThanOrEqual(page === 0 ? 11 : 13)
        }
      }),
    )
  })

  it('keeps the title of a section on the page of its first tile', () => {
    const title: TilePicture = { ...tile(place(0, 5, 12, 1)), section: 'open', text: 'Details' }
    const placed = packTiles([tile(place(0, 0, 12, 5)), title, tile(place(0, 6, 12, 5))])

    expect(toPages(placed, 10).map((page) => page.length)).toEqual([1, 2])
    expect(toPages(placed, 11).map((page) => page.length)).toEqual([3])
  })
})
