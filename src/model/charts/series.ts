import type { Drawing, Frame } from '../chart.ts'
import type { Display } from '../displays.ts'
import type { TrendSeries } from '../query-results.ts'
import { isOneNumber } from '../series-names.ts'
import { calendar } from './calendar.ts'
import { pie } from './pie.ts'
import { timeSeries } from './time-series.ts'
import { bigNumber, valueBars, valueTable } from './values.ts'

/** Draws series as their display says. */
export function drawSeries(
  { form, stacked }: Display,
  all: readonly TrendSeries[],
  frame: Frame,
  interval: unknown,
): Drawing {
  switch (form) {
    case 'totals':
      return valueBars(all, frame)
    case 'number':
      return isOneNumber(all) ? bigNumber(all, frame) : valueTable(all, frame)
    case 'pie':
      return pie(all, frame)
    case 'table':
      return valueTable(all, frame)
    case 'calendar':
      return (
        calendar(all, frame, interval) ??
        timeSeries(all, frame, { shape: 'line', stacked, interval })
      )
    default:
      return timeSeries(all, frame, { shape: form, stacked, interval })
  }
}
