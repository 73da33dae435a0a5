import { displayOf, TREND_DISPLAYS } from '#model/displays.ts'
import { isAdditive } from '#model/query-kinds/additive.ts'
import type { TrendSeries } from '#model/query-results.ts'
import { shapeResults } from './shape-results.ts'
import type { Trend, TrendLine } from './trend.ts'

/** A month by hour. A sparkline is too small for more. */
const MAX_INTERVALS = 750

/** Tells whether a query shows one number, which has its numbers over time too, for a sparkline. */
const hasHistory = ({ query, series, formulas, breakdown, periods }: Trend): boolean =>
  displayOf(TREND_DISPLAYS, query).form === 'number' &&
  !breakdown &&
  (formulas.length || series.length) === 1 &&
  periods.every(({ buckets }) => buckets.length <= MAX_INTERVALS)

/** Tells whether the numbers over time add up to the number of the whole range. */
const areSums = ({ series }: Trend): boolean => series.every(({ node }) => isAdditive(node.math))

/**
 * Lists what is to be read: the numbers over time, or that of the whole range. One number needs both; if it is a sum, the
 * former are enough. Then it costs as much as a line. In DuckDB, the days of 1 million events took 430 ms beside 305 ms
 * for all unique persons, on a busy machine.
 */
export function toReadings(trend: Trend): Trend[] {
  if (!trend.isAggregated || !hasHistory(trend)) return [trend]
  const overTime = { ...trend, isAggregated: false }
  return areSums(trend) ? [overTime] : [overTime, trend]
}

/** Shapes the lines over time, those of the whole range, or both into one result. */
export async function shapeTrend(
  trend: Trend,
  overTime: readonly TrendLine[],
  whole: readonly TrendLine[],
): Promise<TrendSeries[]> {
  if (!trend.isAggregated) return shapeResults(trend, overTime)
  if (!hasHistory(trend)) return shapeResults(trend, whole)
  const numbers = await shapeResults(trend, areSums(trend) ? overTime.map(toSum) : whole)
  const history = await shapeResults({ ...trend, isAggregated: false }, overTime)
  return numbers.map((number, at) => {
    const { data = [], labels = [], days = [], unfinished } = history[at] ?? {}
    return { ...number, data, labels, days, ...(unfinished && { unfinished }) }
  })
}

const toSum = (line: TrendLine): TrendLine => ({
  ...line,
  data: [line.data.reduce((sum, number) => sum + number, 0)],
})
