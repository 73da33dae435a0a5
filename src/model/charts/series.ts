import type { Drawing, Frame } from '../chart.ts'
import type { DisplaySettings } from '../display-settings.ts'
import type { Display } from '../displays.ts'
import type { NumberFormat } from '../number-format.ts'
import type { TrendSeries } from '../query-results.ts'
import { isOneNumber } from '../series-names.ts'
import { boxPlot } from './box-plot.ts'
import { calendar } from './calendar.ts'
import { withDetails } from './details.ts'
import { gauge } from './gauge.ts'
import { bigNumber } from './number.ts'
import { pie } from './pie.ts'
import { timeSeries } from './time-series.ts'
import { valueBars, valueTable } from './values.ts'
import { worldMap } from './world-map.ts'

export interface SeriesStyle {
  readonly display: Display
  readonly interval: unknown
  readonly format: NumberFormat
  readonly settings: DisplaySettings
}

/** Draws series as their display says. */
export function drawSeries(
  all: readonly TrendSeries[],
  frame: Frame,
  { display: { form, stacked }, interval, format, settings }: SeriesStyle,
): Drawing {
  const style = { stacked, interval, format, settings }
  switch (form) {
    case 'totals':
      return valueBars(all, frame, { format, settings })
    case 'map':
      return worldMap(all, frame, format) ?? valueBars(all, frame, { format, settings })
    case 'number':
      return isOneNumber(all)
        ? bigNumber(all, frame, { format, settings })
        : valueTable(all, frame, settings)
    case 'gauge':
      return isOneNumber(all)
        ? gauge(all, frame, { format, settings })
        : valueBars(all, frame, { format, settings })
    case 'pie':
      return pie(all, frame, { format, settings })
    case 'table':
      return valueTable(all, frame, settings)
    case 'box':
      return boxPlot(all, frame, style) ?? timeSeries(all, frame, { ...style, shape: 'line' })
    case 'calendar':
      return calendar(all, frame, style) ?? timeSeries(all, frame, { ...style, shape: 'line' })
    default:
      return withDetails(all, frame, settings, (inner) =>
        timeSeries(all, inner, { ...style, shape: form }),
      )
  }
}
