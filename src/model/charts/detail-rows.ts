import type { DisplaySettings } from '../display-settings.ts'
import { toMedian } from '../median.ts'
import { toNumberFormat } from '../number-format.ts'
import { addsUp } from '../query-kinds/additive.ts'
import type { TableView } from '../query-kinds/query-kind.ts'
import type { TrendSeries } from '../query-results.ts'
import { nameSeries } from '../series-names.ts'

/**
 * Lists minimum, average and maximum of the intervals, without the current one, which may still grow, and the total if the
 * intervals add up.
 */
export function toDetails(
  all: readonly TrendSeries[],
  settings: DisplaySettings,
): Omit<TableView, 'form'> {
  const { detailedResultsAggregationType: last } = settings
  const isSum = last !== 'average' && last !== 'median' && addsUp(all)
  const rows = nameSeries(all).map(({ name, series }) => {
    const { data, unfinished, count } = series
    const whole = unfinished && data.length > 1 ? data.slice(0, -1) : data
    const average = whole.reduce((sum, value) => sum + value, 0) / Math.max(1, whole.length)
    const more = isSum ? [count] : last === 'median' ? [toMedian(whole)] : []
    return [name, Math.min(...whole), average, Math.max(...whole), ...more]
  })
  const more = isSum ? ['Total'] : last === 'median' ? ['Median'] : []
  return {
    columns: ['Series', 'Minimum', 'Average', 'Maximum', ...more],
    rows,
    format: toNumberFormat(settings),
  }
}
