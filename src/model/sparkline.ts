import type { TrendSeries } from './query-results.ts'

type Point = readonly [x: number, y: number]

/** The points of a small line without axes. */
export interface Sparkline {
  readonly line: readonly Point[]
  /** The last step of a current interval, which is dotted because it may still grow. */
  readonly end: readonly Point[]
  /** The corners of the area below both. */
  readonly area: readonly Point[]
}

/** Keeps a line of equal numbers off the edges. */
const MARGIN = 2

/** Places the numbers of a series over time in a box. Undefined if there are too few for a line. */
export function toSparkline(
  { data, unfinished }: Pick<TrendSeries, 'data' | 'unfinished'>,
  { width, height }: { readonly width: number; readonly height: number },
): Sparkline | undefined {
  if (data.length < 3) return undefined
  const [low, high] = [Math.min(...data), Math.max(...data)]
  const room = height - 2 * MARGIN
  const toY = (value: number) =>
    MARGIN + (high === low ? room / 2 : ((high - value) / (high - low)) * room)
  const points = data.map(
    (value, at): Point => [round((at / (data.length - 1)) * width), round(toY(value))],
  )
  const split = unfinished ? points.length - 1 : points.length
  return {
    line: points.slice(0, split),
    end: unfinished ? points.slice(split - 1) : [],
    area: [[0, height], ...points, [width, height]],
  }
}

const round = (pixels: number): number => Math.round(pixels * 100) / 100
