/** As sent: positions by screen size, and whatever else a client wants to keep there. */
export type Layouts = object

/** Where a tile goes that does not say where. */
const LAST = 100

/** What is stored of a tile's layouts: the whole as text, and where it stands in reading order. */
export const toPlace = (layouts: Layouts) => ({
  layouts: JSON.stringify(layouts),
  x: coordinate(layouts, 'x'),
  y: coordinate(layouts, 'y'),
})

function coordinate(layouts: { sm?: unknown }, axis: 'x' | 'y'): number {
  const given = (layouts.sm as Record<string, unknown> | null | undefined)?.[axis]
  // an object is not even asked: it may have been sent with a `valueOf` that is no function
  const value = typeof given === 'string' ? Number.parseFloat(given) : given
  return Number.isFinite(value) ? (value as number) : LAST
}
