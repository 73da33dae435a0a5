/** The width in pixels at which a dashboard is designed. */
const DESIGN_WIDTH = 1280
/** A dashboard that fits only if it is smaller than this part of the usual size scrolls instead. */
const SMALLEST = 0.7
/** A dashboard with few tiles grows to at most this multiple of the usual size. */
const LARGEST = 1.4

interface Screen {
  readonly width: number
  readonly height: number
}

/** Returns how much larger than designed a dashboard is shown, and whether the screen then holds all of it. */
export function toScale(screen: Screen, contentHeight: number): { scale: number; fits: boolean } {
  const usual = Math.max(1, screen.width / DESIGN_WIDTH)
  const fitting = contentHeight > 0 ? screen.height / contentHeight : usual
  const fits = fitting >= usual * SMALLEST
  const scale = fits ? Math.min(fitting, usual * LARGEST) : usual
  return { scale: Math.floor(scale * 100) / 100, fits }
}
