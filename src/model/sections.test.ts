import { describe, expect, it } from 'vitest'
import { packTiles, type Section } from './grid.ts'
import { groupTiles, isFolded, type SectionChoices } from './sections.ts'

const tile = (name: string, sm: object, section: Section | null = null) => ({
  name,
  section,
  layouts: { sm },
})

const TILES = [
  tile('under B', { x: 6, y: 20, w: 6, h: 5 }),
  tile('A', { x: 3, y: 5, w: 4, h: 4 }, 'open'),
  tile('top', { x: 0, y: 0, w: 6, h: 5 }),
  tile('B', { y: 10 }, 'folded'),
  tile('beside', { x: 9, y: 5, w: 3, h: 5 }),
]

describe('sections', () => {
  it('have the tiles below their title, up to the next title', () => {
    const groups = groupTiles(TILES).map(({ title, items }) => [
      title?.name,
      items.map(({ name }) => name),
    ])

    expect(groups).toEqual([
      [undefined, ['top']],
      ['A', ['beside']],
      ['B', ['under B']],
    ])
  })

  it('have a title as wide as the grid and one row high, which no tile is beside', () => {
    const places = packTiles(TILES).map(({ tile: { name }, x, y, w, h }) => [name, x, y, w, h])

    expect(places).toEqual([
      ['top', 0, 0, 6, 5],
      ['A', 0, 5, 12, 1],
      ['beside', 9, 6, 3, 5],
      ['B', 0, 11, 12, 1],
      ['under B', 6, 12, 6, 5],
    ])
  })

  it.each<[Section | null, SectionChoices, boolean]>([
    ['open', {}, false],
    ['folded', {}, true],
    ['folded', { 7: 'open' }, false],
    ['open', { 7: 'folded', 8: 'open' }, true],
    [null, {}, false],
  ])('saved as %s with the choices %j are folded: %s', (section, choices, expected) => {
    expect(isFolded({ id: 7, section }, choices)).toBe(expected)
  })
})
