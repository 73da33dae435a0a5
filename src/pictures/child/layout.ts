import { fieldsOf } from '#model/chart.ts'
import type { TilePicture } from '../contract.ts'

export const COLUMNS = 12

/** In columns and rows. */
export interface Place {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

type HasLayouts = Pick<TilePicture, 'layouts'>

export interface PlacedTile<Tile extends HasLayouts = TilePicture> extends Place {
  readonly tile: Tile
}

/** Where a tile that says nothing goes: below those that do, as upstream orders them. */
const LAST = 100
const DEFAULT_WIDTH = 6
const DEFAULT_HEIGHT = 5
const MAX_HEIGHT = 20

/** Layouts are opaque JSON: anything may stand in them, numbers as text too. */
function wantedPlace({ layouts }: HasLayouts): Place {
  const { x, y, w, h } = fieldsOf(fieldsOf(layouts).sm)
  const width = within(1, toNumber(w, DEFAULT_WIDTH), COLUMNS)
  return {
    w: width,
    h: within(2, toNumber(h, DEFAULT_HEIGHT), MAX_HEIGHT),
    x: within(0, toNumber(x, 0), COLUMNS - width),
    y: toNumber(y, LAST),
  }
}

const within = (low: number, value: number, high: number): number =>
  Math.min(high, Math.max(low, Math.round(value)))

function toNumber(value: unknown, otherwise: number): number {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : otherwise
}

/** Each tile in its columns, as far up as those before it allow: without gaps and without overlap. */
export function placeTiles<Tile extends HasLayouts>(
  tiles: readonly Tile[],
  isOneColumn: boolean,
): PlacedTile<Tile>[] {
  const filled = new Array<number>(COLUMNS).fill(0)
  return tiles
    .map((tile) => ({ tile, ...wantedPlace(tile) }))
    .sort((one, other) => one.y - other.y || one.x - other.x)
    .map((one) => {
      const [x, w] = isOneColumn ? [0, COLUMNS] : [one.x, one.w]
      const y = Math.max(...filled.slice(x, x + w))
      filled.fill(y + one.h, x, x + w)
      return { ...one, x, w, y }
    })
}

/**
 * Cut into pages of so many rows, between tiles. A tile that would be cut begins the next page, and
 * those below it follow; one that is higher than a page is made as high as a page.
 */
export function toPages(placed: readonly PlacedTile[], rows: number, firstRows = rows) {
  const pages: PlacedTile[][] = [[]]
  let filled = new Array<number>(COLUMNS).fill(0)
  for (const one of [...placed].sort((a, b) => a.y - b.y || a.x - b.x)) {
    const h = Math.min(one.h, pages.length === 1 ? firstRows : rows)
    let y = Math.max(...filled.slice(one.x, one.x + one.w))
    if (y + h > (pages.length === 1 ? firstRows : rows)) {
      pages.push([])
      filled = new Array<number>(COLUMNS).fill(0)
      y = 0
    }
    filled.fill(y + h, one.x, one.x + one.w)
    pages.at(-1)?.push({ ...one, y, h })
  }
  return pages
}
