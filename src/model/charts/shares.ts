import type { NamedSeries } from '../series-names.ts'

/** Converts the values of a stack to percentages of its height in each interval. Undefined if some are negative. */
export function toShares(named: readonly NamedSeries[]): NamedSeries[] | undefined {
  if (named.some(({ series }) => series.data.some((value) => value < 0))) return undefined
  return named.map((one) => {
    const heights = toHeights(named.filter(({ isPrevious }) => isPrevious === one.isPrevious))
    const data = one.series.data.map((value, at) => {
      const height = heights[at] ?? 0
      return height === 0 ? 0 : (value / height) * 100
    })
    return { ...one, series: { ...one.series, data } }
  })
}

/** Adds up the parts of a stack in each interval. */
export const toHeights = (named: readonly NamedSeries[]): number[] =>
  (named[0]?.series.data ?? []).map((_, at) =>
    named.reduce((sum, { series }) => sum + (series.data[at] ?? 0), 0),
  )
