import type { Drawing, Frame } from '../chart.ts'
import type { DisplaySettings } from '../display-settings.ts'
import { toMedian } from '../median.ts'
import { toNumberFormat } from '../number-format.ts'
import { addsUp } from '../query-kinds/additive.ts'
import type { TableView } from '../query-kinds/query-kind.ts'
import type { TrendSeries } from '../query-results.ts'
import { nameSeries } from '../series-names.ts'
import { drawRows, ROW } from './table.ts'

/** A lower chart has no space for a table below it. */
const MIN_HEIGHT = 240
const MAX_SHARE = 0.45

/** Draws a chart, and below it a table of what each series comes to, if that is wanted and fits. */
export function withDetails(
  all: readonly TrendSeries[],
  frame: Frame,
  settings: DisplaySettings,
  draw: (frame: Frame) => Drawing,
): Drawing {
  if (!settings.showDetailedResults || frame.height < MIN_HEIGHT) return draw(frame)
  const table = toDetails(all, settings)
  const height = Math.min((table.rows.length + 1) * ROW, Math.floor(frame.height * MAX_SHARE))
  const top = frame.height - height
  const drawn = draw({ ...frame, height: top })
  const { grid, graphic } = drawn as { grid: { bottom: number }; graphic: object[] }
  const children = drawRows({ ...frame, height }, table)
  return {
    ...drawn,
    grid: { ...grid, bottom: grid.bottom + height },
    graphic: [...graphic, { type: 'group', y: top, children }],
  } as Drawing
}

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
