/** As sent: positions by screen size, and whatever else a client wants to keep there. */
export type Layouts = object

type Screen = 'sm' | 'xs'

/** Where a tile goes that does not say where. */
const LAST = 100

/** What is stored of a tile's layouts: the whole as text, and where it stands in reading order. */
export const toLayoutColumns = (layouts: Layouts) => ({
  layouts: JSON.stringify(layouts),
  x: numberIn(layouts, 'sm', 'x') ?? LAST,
  y: numberIn(layouts, 'sm', 'y') ?? LAST,
})

/** Below the others, half as wide as a desktop and as wide as a phone. */
export const placeBelow = (others: readonly Layouts[]): Layouts => ({
  sm: { x: 0, y: bottomOf(others, 'sm'), w: 6, h: 5, minW: 3, minH: 5 },
  xs: { x: 0, y: bottomOf(others, 'xs'), w: 1, h: 5, minW: 1, minH: 5 },
})

function bottomOf(all: readonly Layouts[], screen: Screen): number {
  const ends = all.map(
    (layouts) => (numberIn(layouts, screen, 'y') ?? 0) + (numberIn(layouts, screen, 'h') ?? 0),
  )
  return Math.min(Math.max(0, ...ends), Number.MAX_SAFE_INTEGER)
}

function numberIn(
  layouts: { [screen in Screen]?: unknown },
  screen: Screen,
  key: 'x' | 'y' | 'h',
): number | undefined {
  const given = (layouts[screen] as Record<string, unknown> | null | undefined)?.[key]
  // an object is not even asked: it may have been sent with a `valueOf` that is no function
  const value = typeof given === 'string' ? Number.parseFloat(given) : given
  return Number.isFinite(value) ? (value as number) : undefined
}
