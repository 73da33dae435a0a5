import type { TrendSeries } from '#model/query-results.ts'
import type { AlertProblem, AlertValue, MeasureOptions } from './measure.ts'

/** The seasons of hours are a week and a day, that of days is a week. */
const SEASONS: Readonly<Record<string, readonly number[]>> = { hour: [7 * 24, 24], day: [7] }

/** Measures the last complete interval of the watched series, or its one value. */
export function measureSeries(
  results: readonly unknown[],
  { interval, zone, computedAt, seriesIndex, includeCurrent }: MeasureOptions,
): AlertValue | AlertProblem {
  const series = (results as readonly TrendSeries[]).filter(
    ({ compare_label }) => compare_label !== 'previous',
  )
  const line = series[seriesIndex]
  if (!line) return { problem: `The insight has no series ${seriesIndex}.` }
  if (line.aggregated_value !== undefined) {
    return { value: line.aggregated_value, earlier: [] }
  }
  const isCurrent = endOfLast(line, interval, zone) > Date.parse(computedAt)
  const last = line.data.length - (isCurrent && !includeCurrent ? 2 : 1)
  const value = line.data[last]
  if (value === undefined) return { problem: 'The insight shows no complete interval.' }
  return { value, earlier: line.data.slice(0, last), seasons: SEASONS[interval] ?? [] }
}

/** Returns the end of the last interval, in milliseconds. */
function endOfLast({ days }: TrendSeries, interval: string, zone: string): number {
  const start = Temporal.PlainDateTime.from((days.at(-1) ?? '1970-01-01').replace(' ', 'T'))
  return start.toZonedDateTime(zone).add({ [`${interval}s`]: 1 }).epochMilliseconds
}
