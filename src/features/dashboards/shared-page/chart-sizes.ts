import { COLUMNS, GAP, type Position, ROW_HEIGHT } from '#model/grid.ts'

/** CSS pixels of a column in a window 1200 pixels wide. */
const COLUMN = (1200 - 2 * 24 + GAP) / COLUMNS
/** The tile's title, the line that opens its data table, and its border. */
const TILE_CHROME = 40 + 34 + 2
const CHART_MARGINS = 12
const PHONE_WIDTH = 312

export interface Size {
  readonly width: number
  readonly height: number
}

export const chartHeight = ({ h }: Position): number => h * (ROW_HEIGHT + GAP) - GAP - TILE_CHROME

/** Limits the height on a phone to fit the screen. */
export const phoneHeight = (position: Position): number =>
  Math.min(340, Math.max(120, chartHeight(position)))

/** Returns the size for a wide window and, if a chart scaled down would be unreadable, one for a phone. */
export function chartSizes(position: Position): Size[] {
  const wide = {
    width: Math.round(position.w * COLUMN - GAP - CHART_MARGINS),
    height: Math.max(60, chartHeight(position)),
  }
  if (wide.width <= 420) return [wide]
  return [wide, { width: PHONE_WIDTH, height: phoneHeight(position) }]
}
