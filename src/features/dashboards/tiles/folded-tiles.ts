import { groupTiles, isFolded, type ShownSections } from '#model/sections.ts'
import type { TileRow } from './store.ts'

type TitledRow = Pick<TileRow, 'id' | 'layouts' | 'section'>

/** Returns the IDs of the tiles in folded sections. */
export function listFoldedTiles(
  rows: readonly TitledRow[],
  sections: ShownSections,
): ReadonlySet<number> {
  // most dashboards have no sections, and parsing layouts takes time
  if (sections === 'open' || !rows.some(({ section }) => section !== null)) return new Set()
  const tiles = rows.map((row) => ({ ...row, layouts: JSON.parse(row.layouts) as object }))
  const folded = groupTiles(tiles).filter(({ title }) => title && isFolded(title, sections))
  return new Set(folded.flatMap(({ items }) => items.map(({ id }) => id)))
}
