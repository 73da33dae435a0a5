import type { Place } from '#server/pictures/child/layout.ts'

/** In CSS pixels, as the style sheet has them. */
export const ROW = 64
export const GAP = 16
const COLUMN = (1200 - 2 * 24 + GAP) / 12
/** A tile's title, the line that opens its figures, and its border. */
const AROUND = 40 + 34 + 2
const SIDES = 12
const PHONE_WIDTH = 312

export interface Size {
  readonly width: number
  readonly height: number
}

/** How high a chart is, however wide the window. */
export const chartHeight = ({ h }: Place): number => h * (ROW + GAP) - GAP - AROUND

/** On a phone nobody scrolls through one chart. */
export const phoneHeight = (place: Place): number =>
  Math.min(280, Math.max(120, chartHeight(place)))

/** As it stands in a wide window and, where scaling that down would make it unreadable, on a phone. */
export function chartSizes(place: Place): Size[] {
  const wide = {
    width: Math.round(place.w * COLUMN - GAP - SIDES),
    height: Math.max(60, chartHeight(place)),
  }
  if (wide.width <= 420) return [wide]
  return [wide, { width: PHONE_WIDTH, height: phoneHeight(place) }]
}
