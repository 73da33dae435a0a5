/** The grid of a dashboard, shared by the server, the web app, pictures and shared pages. */

import { fieldsOf } from './json.ts'

export const COLUMNS = 12
/** CSS pixels. */
export const ROW_HEIGHT = 64
/** CSS pixels between two tiles. */
export const GAP = 16

export const DEFAULT_SIZE = { w: 6, h: 5 }
/** A smaller chart cannot be read. */
export const MIN_SIZE = { w: 2, h: 2 }
/** Pictures and shared pages shorten taller tiles. */
const MAX_PACKED_HEIGHT = 20
/** The row and column of a tile without a position: upstream sorts it after the others. */
const LAST = 100

/** A title of a section is `open` or `folded`: how viewers first see the tiles below it. */
export type Section = 'open' | 'folded'
/** A title spans the grid, so no tile can be beside it. */
const TITLE_SIZE = { w: COLUMNS, h: 1 }

/** In columns and rows. */
export interface Position {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** Positions by screen size. Clients can send any JSON, numbers as text too. */
export type Layouts = object

/** The parts of a tile that decide where it is. */
export interface Placeable {
  readonly layouts: Layouts
  readonly section?: Section | null | undefined
}

/** `sm` is the grid of a desktop, `xs` the single column of a phone. */
type Screen = 'sm' | 'xs'

function numberIn(layouts: unknown, screen: Screen, key: keyof Position): number | undefined {
  const value = fieldsOf(fieldsOf(layouts)[screen])[key]
  // objects are not converted: a client can send one whose `valueOf` is not a function
  const number = typeof value === 'string' ? Number.parseFloat(value) : value
  return Number.isFinite(number) ? (number as number) : undefined
}

/** Returns the row and column by which tiles are sorted in reading order. */
export const toSortPosition = (layouts: Layouts): Pick<Position, 'x' | 'y'> => ({
  x: numberIn(layouts, 'sm', 'x') ?? LAST,
  y: numberIn(layouts, 'sm', 'y') ?? LAST,
})

export const hasPosition = (layouts: Layouts): boolean =>
  Object.keys(fieldsOf(fieldsOf(layouts).sm)).length > 0

/** Returns a tile's position on a desktop, inside the grid; `otherwise` replaces missing numbers. */
export function toPosition(
  { layouts, section }: Placeable,
  otherwise: Partial<Position> = {},
): Position {
  const read = (key: keyof Position, fallback: number) =>
    numberIn(layouts, 'sm', key) ?? otherwise[key] ?? fallback
  const y = clamp(read('y', LAST), 0, Number.MAX_SAFE_INTEGER)
  if (section) return { x: 0, y, ...TITLE_SIZE }
  const w = clamp(read('w', DEFAULT_SIZE.w), MIN_SIZE.w, COLUMNS)
  return {
    x: clamp(read('x', 0), 0, COLUMNS - w),
    y,
    w,
    h: clamp(read('h', DEFAULT_SIZE.h), MIN_SIZE.h, Number.MAX_SAFE_INTEGER),
  }
}

const clamp = (value: number, min: number, max: number): number =>
  Math.min(max, Math.max(min, Math.round(value)))

const byReadingOrder = (one: Position, other: Position): number =>
  one.y - other.y || one.x - other.x

export type PackedTile<Tile> = Position & { readonly tile: Tile }

/** Moves each tile as far up as the tiles before it allow: no gaps, no overlap. */
export function packTiles<Tile extends Placeable>(
  tiles: readonly Tile[],
  { isSingleColumn = false } = {},
): PackedTile<Tile>[] {
  const filled = new Array<number>(COLUMNS).fill(0)
  return tiles
    .map((tile) => ({ tile, ...toPosition(tile) }))
    .sort(byReadingOrder)
    .map((position) => {
      const { x, w } = isSingleColumn ? { x: 0, w: COLUMNS } : position
      const h = Math.min(position.h, MAX_PACKED_HEIGHT)
      const y = Math.max(...filled.slice(x, x + w))
      filled.fill(y + h, x, x + w)
      return { tile: position.tile, x, y, w, h }
    })
}

/** Returns layouts for a new tile below the others: the default size on a desktop, full width on a phone. */
export const placeBelow = (others: readonly Layouts[]): Layouts => {
  const desktop = { x: 0, y: findBottom(others, 'sm'), ...DEFAULT_SIZE }
  const phone = { x: 0, y: findBottom(others, 'xs'), w: 1, h: DEFAULT_SIZE.h }
  return withMinimum(desktop, phone)
}

function findBottom(all: readonly Layouts[], screen: Screen): number {
  const bottoms = all.map(
    (layouts) => (numberIn(layouts, screen, 'y') ?? 0) + (numberIn(layouts, screen, 'h') ?? 0),
  )
  return Math.min(Math.max(0, ...bottoms), Number.MAX_SAFE_INTEGER)
}

/** Lays tiles out from left to right, then in the next row; on a phone one below the other. */
export function flowTiles(sizes: readonly Partial<Pick<Position, 'w' | 'h'>>[]): Layouts[] {
  let [x, y, rowHeight, phoneY] = [0, 0, 0, 0]
  return sizes.map(({ w = DEFAULT_SIZE.w, h = DEFAULT_SIZE.h }) => {
    if (x + w > COLUMNS) [x, y, rowHeight] = [0, y + rowHeight, 0]
    const layouts = withMinimum({ x, y, w, h }, { x: 0, y: phoneY, w: 1, h })
    x += w
    phoneY += h
    rowHeight = Math.max(rowHeight, h)
    return layouts
  })
}

const withMinimum = (desktop: Position, phone: Position): Layouts => ({
  sm: { ...desktop, minW: MIN_SIZE.w, minH: MIN_SIZE.h },
  xs: { ...phone, minW: 1, minH: MIN_SIZE.h },
})
