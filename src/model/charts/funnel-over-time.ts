import { type Drawing, type Frame, NO_EVENTS } from '../chart.ts'
import { duration } from '../format.ts'
import { PERCENTAGE } from '../number-format.ts'
import { paletteOf, seriesColor } from '../palette.ts'
import type { FunnelTimes, FunnelTrend } from '../query-results.ts'
import { base, categoryAxis, gridAbove, message, valueAxis } from './parts.ts'
import { summarizeSeries } from './summary.ts'
import { timeSeries } from './time-series.ts'

/** Draws the conversion rate by the time of entry. */
export function funnelTrend(all: readonly FunnelTrend[], frame: Frame, interval: unknown): Drawing {
  if (!all.some(({ count }) => count > 0)) return message(frame, NO_EVENTS)
  const series = all.map((one) => ({ ...one, label: 'Conversion', action: null }))
  return timeSeries(series, frame, {
    shape: 'line',
    stacked: false,
    interval,
    format: PERCENTAGE,
    isShare: true,
    settings: {},
  })
}

/** Draws the distribution of conversion times. */
export function funnelTimes({ bins }: FunnelTimes, frame: Frame): Drawing {
  const palette = paletteOf(frame.scheme)
  if (!bins.some(([, persons]) => persons > 0)) return message(frame, NO_EVENTS)
  const times = bins.map(([seconds]) => duration(seconds))
  const data = bins.map(([, persons]) => persons)
  return {
    ...base(frame),
    grid: gridAbove(0),
    xAxis: categoryAxis(palette, times),
    yAxis: valueAxis(palette, { values: data }),
    series: [
      {
        type: 'bar',
        data,
        barCategoryGap: '8%',
        itemStyle: { color: seriesColor(palette, 0), borderRadius: [2, 2, 0, 0] },
      },
    ],
    findPoint: (_, index) => ({ series: 0, index }),
    summary: summarizeSeries([{ name: 'People', series: { data } }], times),
  }
}
