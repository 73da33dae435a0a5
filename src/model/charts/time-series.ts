import type { BarSeriesOption, LineSeriesOption } from 'echarts'
import type { Drawing, Frame } from '../chart.ts'
import { shortDay } from '../format.ts'
import { paler, paletteOf, seriesColor, seriesDash } from '../palette.ts'
import type { TrendSeries } from '../query-results.ts'
import { type NamedSeries, nameSeries } from '../series-names.ts'
import { base, categoryAxis, gridAbove, legendBelow, valueAxis } from './parts.ts'

export interface TimeSeriesStyle {
  readonly shape: 'line' | 'area' | 'bar'
  readonly stacked: boolean
  readonly interval: unknown
}

/** More lines would be unreadable. */
const MAX_SERIES = 30

export function timeSeries(
  all: readonly TrendSeries[],
  frame: Frame,
  { shape, stacked, interval }: TimeSeriesStyle,
): Drawing {
  const palette = paletteOf(frame.scheme)
  const named = nameSeries(all.slice(0, MAX_SERIES))
  const { legend, height, graphic } = legendBelow(
    frame,
    named.map(({ name }) => name),
    all.length - named.length,
  )
  const longest = named.find(({ isPrevious }) => !isPrevious) ?? named[0]
  const days = (longest?.series.days ?? []).map((day) => shortDay(day, interval))
  const isDense = days.length > 45

  const toSeries = (one: NamedSeries): (LineSeriesOption | BarSeriesOption)[] => {
    const full = seriesColor(palette, one.hue)
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
    const dash = one.isPrevious ? 'dashed' : seriesDash(one.hue)
    const line: LineSeriesOption = {
      type: 'line',
      name: one.name,
      data,
      stack,
      // without a symbol, a line of one point would be invisible
      showSymbol: data.length === 1,
      symbol: 'circle',
      symbolSize: 6,
      lineStyle: { width: isDense ? 1.5 : 2, type: dash },
      itemStyle: { color },
      ...(shape === 'area' && { areaStyle: { color, opacity: one.isPrevious ? 0.2 : 0.28 } }),
    }
    // a stacked line cannot be split in two, because each point adds to the line below
    return one.series.unfinished && !stacked && data.length > 1 ? withDottedEnd(line, data) : [line]
  }

  const drawn = named.map(toSeries)
  const owners = drawn.flatMap((parts, at) => parts.map(() => at))

  return {
    ...base(frame),
    legend,
    graphic,
    grid: gridAbove(height),
    xAxis: { ...categoryAxis(palette, days), boundaryGap: shape === 'bar' || days.length === 1 },
    yAxis: valueAxis(palette),
    series: drawn.flat(),
    findPoint: (series, index) => ({ series: owners[series] as number, index }),
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
