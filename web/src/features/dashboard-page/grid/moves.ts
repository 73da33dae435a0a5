import type { Layout } from 'react-grid-layout/core'
import type { SectionChoices } from '#model/sections.ts'
import type { Tile, TileInput } from '#server/features/dashboards/tiles/schema.ts'
import { compact, layoutBottom, toLayout } from './layout.ts'
import { NUDGES, type Nudge, nudge } from './nudge.ts'
import { listEntered, restoreFolded } from './restore-folded.ts'
import {
  groupLayout,
  heightOf,
  hideFolded,
  itemsOf,
  moveBy,
  type Sections,
  toSections,
} from './sections.ts'
import { toTileChanges } from './tile-changes.ts'

/** A move: the changes of tiles, none if the tile cannot move. */
export interface Move {
  readonly changes: TileInput[]
  /** The folded sections into which the tile has come. */
  readonly entered: readonly number[]
}

/** A move by keyboard, with the item of the menu as label. */
export type ToMove = (
  tiles: readonly Tile[],
  choices: SectionChoices,
) => Move & { readonly label: string }

/** Returns the move to a layout of the tiles that are shown. */
export const toMove = (tiles: readonly Tile[], shown: Layout, sections: Sections): Move => ({
  changes: toTileChanges(tiles, restoreFolded(shown, toLayout(tiles), sections)),
  entered: listEntered(shown, sections),
})

export const nudgeTile =
  (tile: Tile, how: Nudge): ToMove =>
  (tiles, choices) => {
    const sections = toSections(tiles, choices)
    const nudged = nudge(hideFolded(toLayout(tiles), sections), tile.id, how)
    return { label: NUDGES[how], ...toMove(tiles, nudged, sections) }
  }

export const moveSection =
  (title: Tile, by: -1 | 1): ToMove =>
  (tiles) => {
    const moved = swapSections(toLayout(tiles), title.id, by, toSections(tiles, {}))
    const label = by < 0 ? NUDGES.up : NUDGES.down
    return { label, changes: toTileChanges(tiles, moved), entered: [] }
  }

/** Moves a section with its tiles above or below its neighbor; the same layout if it has none. */
export function swapSections(layout: Layout, id: number, by: -1 | 1, sections: Sections): Layout {
  const [first, ...groups] = groupLayout(layout, sections)
  const from = groups.findIndex(({ title }) => title?.i === `${id}`)
  const [moved, other] = [groups[from], groups[from + by]]
  if (!first || !moved || !other) return layout
  groups[from] = other
  groups[from + by] = moved
  let top = layoutBottom(first.items)
  const all = groups.flatMap((group) => {
    const items = moveBy(itemsOf(group), top - (group.title?.y ?? 0))
    top += heightOf(group)
    return items
  })
  return compact([...first.items, ...all])
}
