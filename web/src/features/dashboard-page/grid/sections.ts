import type { Layout, LayoutItem } from 'react-grid-layout/core'
import { groupBySection, isFolded, type SectionChoices, type TileGroup } from '#model/sections.ts'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { layoutBottom, toLayout } from './layout.ts'

/** The titles of sections, and those that hide their tiles, by the names of their grid items. */
export interface Sections {
  readonly titles: ReadonlySet<string>
  readonly folded: ReadonlySet<string>
}

export function toSections(tiles: readonly Tile[], choices: SectionChoices): Sections {
  const titles = tiles.filter(({ section }) => section !== null)
  const folded = titles.filter((tile) => isFolded(tile, choices))
  return { titles: toNames(titles), folded: toNames(folded) }
}

const toNames = (tiles: readonly Tile[]) => new Set(tiles.map(({ id }) => `${id}`))

export const groupLayout = (layout: Layout, { titles }: Pick<Sections, 'titles'>) =>
  groupBySection(
    [...layout].sort((a, b) => a.y - b.y || a.x - b.x),
    ({ i }) => titles.has(i),
  )

/** Returns the items of a section, its title first. */
export const itemsOf = ({ title, items }: TileGroup<LayoutItem>) =>
  title ? [title, ...items] : items

export const heightOf = (group: TileGroup<LayoutItem>): number => {
  const items = itemsOf(group)
  return layoutBottom(items) - Math.min(...items.map(({ y }) => y))
}

export const moveBy = (items: readonly LayoutItem[], rows: number): LayoutItem[] =>
  items.map((item) => ({ ...item, y: item.y + rows }))

/** Leaves out the tiles of folded sections. Only a folded section can be dragged by its title. */
export function hideFolded(layout: Layout, sections: Sections): Layout {
  let hidden = 0
  return groupLayout(layout, sections).flatMap((group) => {
    const { title, items } = group
    if (!title) return items
    const isHiding = sections.folded.has(title.i)
    const shown = moveBy(isHiding ? [title] : itemsOf(group), -hidden)
    if (isHiding) hidden += heightOf(group) - title.h
    return shown.map((item) => (item.i === title.i ? { ...item, isDraggable: isHiding } : item))
  })
}

/** Lists the tiles of a section in reading order. */
export function listMembers(tiles: readonly Tile[], { id }: Pick<Tile, 'id'>): readonly Tile[] {
  const group = groupLayout(toLayout(tiles), toSections(tiles, {})).find(
    ({ title }) => title?.i === `${id}`,
  )
  return (group?.items ?? []).flatMap(({ i }) => tiles.find((tile) => `${tile.id}` === i) ?? [])
}

/** Returns a tile, or the title of a section with its tiles. */
export const toBlock = (tiles: readonly Tile[], tile: Tile): readonly Tile[] =>
  tile.section ? [tile, ...listMembers(tiles, tile)] : [tile]
