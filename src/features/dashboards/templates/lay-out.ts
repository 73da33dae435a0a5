import type { InsightTile } from './template.ts'

const COLUMNS = 12
const HEIGHT = 5

/** A tile that says how large it is, not where it stands. */
export interface TileSpec {
  readonly name: string
  readonly description: string
  readonly query: object
  readonly color?: string
  readonly w?: number
  readonly h?: number
}

/** From left to right, then in the next row; on a phone one below the other. */
export function layOut(tiles: readonly TileSpec[]): InsightTile[] {
  let [x, y, rowHeight, phoneY] = [0, 0, 0, 0]
  return tiles.map(({ name, description, query, color = null, w = 6, h = HEIGHT }) => {
    if (x + w > COLUMNS) [x, y, rowHeight] = [0, y + rowHeight, 0]
    const layouts = {
      sm: { x, y, w, h, minW: 3, minH: 3 },
      xs: { x: 0, y: phoneY, w: 1, h, minW: 1, minH: 3 },
    }
    x += w
    phoneY += h
    rowHeight = Math.max(rowHeight, h)
    return { type: 'INSIGHT', name, description, query, color, layouts }
  })
}
