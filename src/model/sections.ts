/** Sections of a dashboard: a title and the tiles below it, up to the next title. */

import { type Placeable, packTiles, type Section } from './grid.ts'

/** The choices of a viewer, by the ID of the title. */
export type SectionChoices = Readonly<Record<string, Section>>

/** Which sections are open: all, or as saved except for what a viewer chose. */
export type ShownSections = SectionChoices | 'open'

export interface TileGroup<Item> {
  /** The tiles above the first section have none. */
  readonly title: Item | undefined
  readonly items: Item[]
}

/** Groups items in reading order by the titles above them. */
export function groupBySection<Item>(
  sorted: readonly Item[],
  isTitle: (item: Item) => boolean,
): TileGroup<Item>[] {
  const groups: TileGroup<Item>[] = [{ title: undefined, items: [] }]
  for (const item of sorted) {
    if (isTitle(item)) groups.push({ title: item, items: [] })
    else groups.at(-1)?.items.push(item)
  }
  return groups
}

/** Groups tiles by the titles above them, in reading order. */
export const groupTiles = <Tile extends Placeable>(tiles: readonly Tile[]): TileGroup<Tile>[] =>
  groupBySection(
    packTiles(tiles).map(({ tile }) => tile),
    ({ section }) => Boolean(section),
  )

interface Titled {
  readonly id: number
  readonly section?: Section | null
}

/** Tells whether the tiles of a section are hidden. */
export const isFolded = ({ id, section }: Titled, choices: SectionChoices = {}): boolean =>
  (choices[id] ?? section) === 'folded'
