import type { BarSeriesOption, LineSeriesOption } from 'echarts'
import type { Drawing, Frame } from '../chart.ts'
import type { DisplaySettings } from '../display-settings.ts'
import { shortDay } from '../format.ts'
import { type NumberFormat, toNumberFormat } from '../number-format.ts'
import { paletteOf, seriesDash } from '../palette.ts'
import type { TrendSeries } from '../query-results.ts'
import { lookOf } from '../series-look.ts'
import { type NamedSeries, nameSeries } from '../series-names.ts'
import { toDayAxis } from './day-axis.ts'
import { toDetails } from './detail-rows.ts'
import { legendBelow } from './legend.ts'
import { limitSeries, MAX_LINES } from './limits.ts'
import { drawAverage, drawGoals, SIDE_TO_SIDE, shownGoals } from './overlays.ts'
import { base, categoryAxis, gridAbove, hasAxisTitles, valueAxis } from './parts.ts'
import { toPointNotes } from './point-notes.ts'
import { toHeights, toShares } from './shares.ts'
import { summarizeSeries } from './summary.ts'
import { hatchLast, toHeadings, veilEnd, withDottedEnd } from './unfinished.ts'
import { toValueLabels } from './value-labels.ts'

export interface TimeSeriesStyle {
  readonly shape: 'line' | 'area' | 'bar'
  readonly stacked?: boolean | undefined
  readonly interval: unknown
  readonly format: NumberFormat
  readonly settings: DisplaySettings
  /** The values are percentages of a whole. */
  readonly isShare?: boolean
}

type Drawn = LineSeriesOption | BarSeriesOption

export function timeSeries(
  all: readonly TrendSeries[],
  frame: Frame,
  { shape, stacked, interval, settings, ...style }: TimeSeriesStyle,
): Drawing {
  const palette = paletteOf(frame.scheme)
  const everything = nameSeries(all)
  const canDraw = everything.length <= MAX_LINES
  const { named: limited, omitted } =
    frame.showsAll && canDraw ? { named: everything, omitted: 0 } : limitSeries(everything)
  const shares = stacked && settings.showPercentStackView ? toShares(limited) : undefined
  const named = shares ?? limited
  const isShare = style.isShare || shares !== undefined
  const { numberLocale } = settings
  const format = shares
    ? toNumberFormat({ aggregationAxisFormat: 'percentage', numberLocale })
    : style.format
  const isLog = settings.yAxisScaleType === 'log10' && !stacked && !isShare
  const look = lookOf(limited, palette, settings)
  const { legend, height, graphic } = legendBelow(
    frame,
    named.map(({ name }) => name),
    { notDrawn: omitted, show: settings.showLegend, hidden: look.hidden },
  )
  const longest = named.find(({ isPrevious }) => !isPrevious) ?? named[0]
  const starts = longest?.series.days ?? []
  const days = starts.map((day) => shortDay(day, interval))
  const isDense = days.length > 45
  const hasGaps = shape === 'bar' || days.length === 1
  const values = named.flatMap(({ series }) => series.data)
  const goals = shownGoals(settings, values)
  const isGrouped = shape === 'bar' && !stacked
  const labels = settings.showValuesOnSeries
    ? toValueLabels(values, {
        places: days.length * (isGrouped ? named.length : 1),
        canSkip: !isGrouped,
        width: frame.width,
        format,
        palette,
        rules: settings.colorRules,
      })
    : undefined

  const toSeries = (one: NamedSeries): Drawn[] => {
    const color = look.colorOf(one)
    const numbers = [...one.series.data]
    // a logarithmic axis has no zero
    const data = isLog ? numbers.map((value) => (value > 0 ? value : null)) : numbers
    const stack = stacked ? (one.isPrevious ? 'previous' : 'current') : undefined
    const label = labels?.(shape === 'bar' && stacked && named.length > 1 ? 'inside' : 'top')
    if (shape === 'bar') {
      const radius = stacked ? 0 : 2
      const bars: BarSeriesOption = {
        type: 'bar',
        name: one.name,
        data: one.series.unfinished ? hatchLast(data, palette) : data,
        stack,
        barMaxWidth: 36,
        itemStyle: { color, borderRadius: [radius, radius, 0, 0] },
        ...(label && { label }),
      }
      return [bars]
    }
    const dash = one.isRest ? 'solid' : seriesDash(one.hue)
    const line: LineSeriesOption = {
      type: 'line',
      name: one.name,
      data,
      stack,
      // without a symbol, a line of one point would be invisible, and its values too
      showSymbol: data.length === 1 || label !== undefined,
      symbol: 'circle',
      symbolSize: label ? 4 : 6,
      ...(settings.lineShape === 'smooth' && { smooth: 0.35, smoothMonotone: 'x' as const }),
      ...(settings.lineShape === 'step' && { step: 'middle' as const }),
      lineStyle: { width: isDense ? 1.5 : 2, type: one.isPrevious ? 'dashed' : dash },
      itemStyle: { color },
      ...(shape === 'area' && { areaStyle: { color, opacity: one.isPrevious ? 0.2 : 0.28 } }),
      ...(label && { label }),
    }
    if (!one.series.unfinished || data.length === 1) return [line]
    if (!stacked) return withDottedEnd(line, data)
    const current = named.filter(({ series }) => series.unfinished)
    if (one !== current.at(-1)) return [line]
    const totals = data.map((_, at) =>
      current.reduce((sum, { series }) => sum + (series.data[at] ?? 0), 0),
    )
    return veilEnd(line, totals, palette)
  }

  const withAverage = (one: NamedSeries): Drawn[] => {
    const drawn = toSeries(one)
    if (!settings.showMovingAverage || stacked || one.isPrevious) return drawn
    return [...drawn, drawAverage(one.name, one.series.data, look.colorOf(one), settings)]
  }
  const drawn = named.map(withAverage)
  const owners = drawn.flatMap((parts, at) => parts.map(() => named[at]?.index))
  const { skipped, labels: dayLabels } = toDayAxis(starts, interval, {
    width: frame.width,
    isLine: !hasGaps,
  })
  const dayAxis = {
    ...categoryAxis(palette, days, settings.xAxisLabel),
    boundaryGap: hasGaps,
  }
  const xAxis = {
    ...dayAxis,
    axisLabel: {
      ...dayAxis.axisLabel,
      interval: skipped,
      formatter: (_: string, at: number) => dayLabels[at] ?? '',
      // labels at the ends of a line stay within the plot, so that it has even margins
      ...(!hasGaps && { alignMinLabel: 'left', alignMaxLabel: 'right' }),
    },
  }

  return {
    ...base(frame),
    legend,
    graphic,
    grid: gridAbove(height, labels ? 24 : 14, 10, hasAxisTitles(settings)),
    xAxis: (goals.length > 0 ? [xAxis, SIDE_TO_SIDE] : xAxis) as Drawing['xAxis'],
    yAxis: valueAxis(palette, {
      values: stacked ? toHeights(named) : values,
      format,
      isShare,
      isLog,
      settings,
    }),
    series: [...drawn.flat(), ...drawGoals(goals, palette)],
    days: starts,
    headings: toHeadings(starts, interval, longest?.series.unfinished === true),
    ...(!style.isShare && { notes: toPointNotes(limited, style.format) }),
    ...((frame.showsAll || limited.length < everything.length) && {
      limited: { count: all.length, canDraw, toTable: () => toDetails(all, settings) },
    }),
    format,
    summary: summarizeSeries(named, days, format),
    findPoint(series, index) {
      const at = owners[series]
      return at === undefined ? undefined : { series: at, index }
    },
  }
}
