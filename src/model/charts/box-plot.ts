import type { BoxplotSeriesOption } from 'echarts'
import { readBoxes, toSeriesOfBox } from '../box-plot.ts'
import { type Drawing, type Frame, NO_EVENTS } from '../chart.ts'
import { shortDay, toDistinct, toLabel } from '../format.ts'
import { paletteOf, seriesColor } from '../palette.ts'
import type { TrendSeries } from '../query-results.ts'
import { toDayAxis } from './day-axis.ts'
import { legendBelow } from './legend.ts'
import { MAX_NAMES } from './limits.ts'
import { base, categoryAxis, gridAbove, hasAxisTitles, message, valueAxis } from './parts.ts'
import { summarizeSeries } from './summary.ts'
import type { TimeSeriesStyle } from './time-series.ts'
import { toHeadings } from './unfinished.ts'

/** The current interval may still change. */
const UNFINISHED = { borderType: 'dotted' } as const

/**
 * Draws the distribution of a property's values in each interval: the middle half as a box, the rest as whiskers.
 * Undefined if the result has no boxes.
 */
export function boxPlot(
  all: readonly TrendSeries[],
  frame: Frame,
  { interval, format, settings }: Omit<TimeSeriesStyle, 'shape'>,
): Drawing | undefined {
  const palette = paletteOf(frame.scheme)
  const read = readBoxes(all)
  if (!read) return undefined
  const plots = read.slice(0, MAX_NAMES)
  const [first] = plots
  const values = plots.flatMap(({ boxes }) => boxes.flatMap((box) => box ?? []))
  if (!first || values.length === 0) return message(frame, NO_EVENTS)
  const names = toDistinct(plots.map(({ name }) => toLabel(name)))
  const { legend, height, graphic } = legendBelow(frame, names, {
    show: settings.showLegend,
    notDrawn: read.length - plots.length,
  })
  const days = first.days.map((day) => shortDay(day, interval))
  const { skipped, labels } = toDayAxis(first.days, interval, {
    width: frame.width,
    isLine: false,
  })
  const axis = categoryAxis(palette, days, settings.xAxisLabel)
  return {
    ...base(frame),
    legend,
    graphic,
    grid: gridAbove(height, 14, 10, hasAxisTitles(settings)),
    xAxis: {
      ...axis,
      axisLabel: {
        ...axis.axisLabel,
        interval: skipped,
        formatter: (_: string, at: number) => labels[at] ?? '',
      },
    },
    yAxis: valueAxis(palette, { values, format, settings }),
    series: plots.map(({ boxes, isUnfinished }, at): BoxplotSeriesOption => {
      const color = seriesColor(palette, at)
      const look = { color: `${color}33`, borderColor: color, borderWidth: 1.5 }
      return {
        type: 'boxplot',
        name: names[at] as string,
        data: boxes.map((box, day) => ({
          value: box ? [...box] : [],
          ...(isUnfinished &&
            day === boxes.length - 1 && { itemStyle: { ...look, ...UNFINISHED } }),
        })),
        boxWidth: [4, 36],
        itemStyle: look,
      }
    }),
    days: first.days,
    headings: toHeadings(first.days, interval, first.isUnfinished),
    format,
    summary: summarizeSeries(
      plots.map(({ boxes }, at) => ({
        name: `Median of ${names[at]}`,
        series: { data: boxes.map((box) => box?.[2] ?? 0) },
      })),
      days,
      format,
    ),
    findPoint: (plot, index) => ({ series: toSeriesOfBox(plot), index }),
  }
}
