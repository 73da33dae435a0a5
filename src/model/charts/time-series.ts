import type { BarSeriesOption, LineSeriesOption } from 'echarts'
import type { Drawing, Frame } from '../chart.ts'
import { shortDay } from '../format.ts'
import { paler, paletteOf, seriesColor, seriesDash } from '../palette.ts'
import type { TrendSeries } from '../query-results.ts'
import { type NamedSeries, nameSeries } from '../series-names.ts'
import { legendBelow } from './legend.ts'
import { limitStack, MAX_LINES } from './limits.ts'
import { base, categoryAxis, gridAbove, labelInterval, valueAxis } from './parts.ts'
import { summarizeSeries } from './summary.ts'

export interface TimeSeriesStyle {
  readonly shape: 'line' | 'area' | 'bar'
  readonly stacked?: boolean | undefined
  readonly interval: unknown
  readonly unit?: '%'
}

export function timeSeries(
  all: readonly TrendSeries[],
  frame: Frame,
  { shape, stacked, interval, unit }: TimeSeriesStyle,
): Drawing {
  const palette = paletteOf(frame.scheme)
  const { named, omitted } = stacked
    ? limitStack(nameSeries(all))
    : { named: nameSeries(all.slice(0, MAX_LINES)), omitted: Math.max(0, all.length - MAX_LINES) }
  const { legend, height, graphic } = legendBelow(
    frame,
    named.map(({ name }) => name),
    omitted,
  )
  const longest = named.find(({ isPrevious }) => !isPrevious) ?? named[0]
  const days = (longest?.series.days ?? []).map((day) => shortDay(day, interval))
  const isDense = days.length > 45
  const hasGaps = shape === 'bar' || days.length === 1

  const toSeries = (one: NamedSeries): (LineSeriesOption | BarSeriesOption)[] => {
    const full = one.isRest ? palette.dimmed : seriesColor(palette, one.hue)
    const color = one.isPrevious ? paler(palette, full) : full
    const data = [...one.series.data]
    const stack = stacked ? (one.isPrevious ? 'previous' : 'current') : undefined
    if (shape === 'bar') {
      const radius = stacked ? 0 : 2
      const bars: BarSeriesOption = {
        type: 'bar',
        name: one.name,
        data: one.series.unfinished ? withPaleEnd(data) : data,
        stack,
        barMaxWidth: 36,
        itemStyle: { color, borderRadius: [radius, radius, 0, 0] },
      }
      return [bars]
    }
    const dash = one.isRest ? 'solid' : seriesDash(one.hue)
    const line: LineSeriesOption = {
      type: 'line',
      name: one.name,
      data,
      stack,
      // without a symbol, a line of one point would be invisible
      showSymbol: data.length === 1,
      symbol: 'circle',
      symbolSize: 6,
      lineStyle: { width: isDense ? 1.5 : 2, type: one.isPrevious ? 'dashed' : dash },
      itemStyle: { color },
      ...(shape === 'area' && { areaStyle: { color, opacity: one.isPrevious ? 0.2 : 0.28 } }),
    }
    // a stacked line cannot be split in two, because each point adds to the line below
    return one.series.unfinished && !stacked && data.length > 1 ? withDottedEnd(line, data) : [line]
  }

  const drawn = named.map(toSeries)
  const owners = drawn.flatMap((parts, at) => parts.map(() => named[at]?.series))
  const dayAxis = categoryAxis(palette, days)

  return {
    ...base(frame),
    legend,
    graphic,
    grid: gridAbove(height),
    xAxis: {
      ...dayAxis,
      boundaryGap: hasGaps,
      axisLabel: {
        ...dayAxis.axisLabel,
        interval: labelInterval(days, frame.width, !hasGaps),
        // labels at the ends of a line stay within the plot, so that it has even margins
        ...(!hasGaps && { alignMinLabel: 'left', alignMaxLabel: 'right' }),
      },
    },
    yAxis: valueAxis(
      palette,
      named.flatMap(({ series }) => series.data),
      unit,
    ),
    series: drawn.flat(),
    days: longest?.series.days,
    unit,
    summary: summarizeSeries(named, days, unit),
    findPoint(series, index) {
      const at = all.indexOf(owners[series] as TrendSeries)
      return at < 0 ? undefined : { series: at, index }
    },
  }
}

/** Dots the end of a line, because the incomplete current interval would look like a drop. */
function withDottedEnd(line: LineSeriesOption, data: readonly number[]): LineSeriesOption[] {
  const end = data.length - 1
  return [
    { ...line, data: data.map((value, at) => (at < end ? value : null)) },
    {
      ...line,
      data: data.map((value, at) => (at >= end - 1 ? value : null)),
      lineStyle: { ...line.lineStyle, type: 'dotted' },
    },
  ]
}

const PALE = 0.5

const withPaleEnd = (data: readonly number[]): BarSeriesOption['data'] =>
  data.map((value, at) => (at < data.length - 1 ? value : { value, itemStyle: { opacity: PALE } }))
