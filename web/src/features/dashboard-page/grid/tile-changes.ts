import type { Layout } from 'react-grid-layout/core'
import type { Position } from '#model/grid.ts'
import { fieldsOf } from '#model/json.ts'
import type { Tile, TileInput } from '#server/features/dashboards/tiles/schema.ts'
import { toLayout } from './layout.ts'

/** Lists the changes of the tiles that moved. */
export function toTileChanges(tiles: readonly Tile[], layout: Layout): TileInput[] {
  const before = new Map(toLayout(tiles).map((item) => [item.i, item]))
  return layout.flatMap((item) => {
    const tile = tiles.find(({ id }) => `${id}` === item.i)
    const old = before.get(item.i)
    if (!tile || !old || isSame(old, item)) return []
    const { x, y, w, h } = item
    return [
      {
        id: tile.id,
        layouts: { ...tile.layouts, sm: { ...fieldsOf(fieldsOf(tile.layouts).sm), x, y, w, h } },
      },
    ]
  })
}

export const isSame = (a: Position, b: Position): boolean =>
  a.x === b.x && a.y === b.y && a.w === b.w && a.h === b.h
