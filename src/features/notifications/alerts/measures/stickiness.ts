import type { StickinessSeries } from '#model/query-results.ts'
import type { AlertProblem, AlertValue, MeasureOptions } from './measure.ts'

/** Finds the mean number of intervals in which a person was active. */
export function measureStickiness(
  results: readonly unknown[],
  { seriesIndex }: MeasureOptions,
): AlertValue | AlertProblem {
  const line = (results as readonly StickinessSeries[]).filter(
    ({ compare_label }) => compare_label !== 'previous',
  )[seriesIndex]
  if (!line) return { problem: `The insight has no series ${seriesIndex}.` }
  const persons = line.data.reduce((sum, count) => sum + count, 0)
  const intervals = line.data.reduce((sum, count, at) => sum + count * (line.days[at] ?? 0), 0)
  return { value: persons === 0 ? 0 : intervals / persons, earlier: [] }
}
