import type { Drawing, Frame } from '../chart.ts'
import type { DisplaySettings } from '../display-settings.ts'
import { type Palette, paler, paletteOf, seriesColor } from '../palette.ts'
import type { TrendSeries } from '../query-results.ts'
import { findCustomization, lookOf } from '../series-look.ts'
import { type NamedSeries, nameSeries, totalOf } from '../series-names.ts'

import { toLimited, toValueTable } from '../value-table.ts'
import { shortenLabels } from './labels.ts'
import { legendBelow, moreText } from './legend.ts'
import { MAX_BARS } from './limits.ts'
import { base, gridAbove, isNarrow, valueAxis } from './parts.ts'
import type { ValueStyle } from './pie.ts'
import { summarizeValues } from './summary.ts'
import { drawTable } from './table.ts'
import { colorLabels } from './value-labels.ts'

/** A thinner row cannot be read; only tiles of one or two rows are so low. */
const MIN_ROW = 9
/** Higher rows would float far apart, so that few of them leave the rest of a tile empty. */
const MAX_ROW = 34
const MAX_COMPARED_ROW = 52
const TOP = 6

type BarItem = number | { value: number; itemStyle: { color: string } }

/** Returns the colors that were chosen for single bars; the others share one. */
const ownColors = (
  shown: readonly NamedSeries[],
  palette: Palette,
  settings: DisplaySettings,
): (string | undefined)[] => {
  const look = lookOf(shown, palette, settings)
  return shown.map((one, at) =>
    findCustomization(one.series, one.index ?? at, settings)?.color ? look.colorOf(one) : undefined,
  )
}

/** Draws one bar per series, largest first. */
export function valueBars(
  all: readonly TrendSeries[],
  frame: Frame,
  { format, settings }: ValueStyle,
): Drawing {
  const palette = paletteOf(frame.scheme)
  const named = nameSeries(all)
  const current = named
    .filter(({ isPrevious }) => !isPrevious)
    .sort((one, other) => totalOf(other.series) - totalOf(one.series))
  const previous = new Map(
    named.filter(({ isPrevious }) => isPrevious).map(({ hue, series }) => [hue, series]),
  )
  const previousTotal = (hue: number) => {
    const series = previous.get(hue)
    return series ? totalOf(series) : 0
  }
  const legendNames = previous.size > 0 ? ['Current period', 'Previous period'] : []
  const room = frame.height - 26
  const maxBars = Math.max(1, Math.min(MAX_BARS, Math.floor(room / MIN_ROW)))
  const shown = current.slice(0, maxBars)
  const hidden = current.length - shown.length
  const { legend, height, graphic } = legendBelow(frame, legendNames, { notDrawn: hidden })
  const more = hidden > 0 && height === 0 ? [moreText(frame, hidden)] : graphic
  const bottom = hidden > 0 && height === 0 ? 14 : height
  const maxRow = previous.size > 0 ? MAX_COMPARED_ROW : MAX_ROW
  const below = frame.height - TOP - 8 - shown.length * maxRow
  const fontSize = (room - bottom) / shown.length < 15 ? 10 : 12
  const nameWidth = Math.round(frame.width * (isNarrow(frame) ? 0.46 : 0.36))
  const names = shortenLabels(
    shown.map(({ name }) => name),
    Math.max(8, Math.floor(nameWidth / (fontSize * 0.58))),
  )
  const { rich, write } = colorLabels(settings.colorRules, palette)
  const label = {
    show: true,
    position: 'right' as const,
    color: palette.text,
    fontSize,
    rich,
    formatter: ({ value }: { value?: unknown }) =>
      write(format.short(Number(value)), Number(value)),
  }
  const color = seriesColor(palette, 0)
  const own = ownColors(shown, palette, settings)
  const bars = (name: string, data: BarItem[], fill: string) => ({
    type: 'bar' as const,
    name,
    data,
    label,
    barMaxWidth: 22,
    itemStyle: { color: fill, borderRadius: [0, 3, 3, 0] },
  })
  const values = shown.map(({ name, series }) => ({ name, value: totalOf(series) }))
  return {
    ...base(frame),
    legend,
    graphic: more,
    grid: gridAbove(Math.max(bottom, below), TOP, 52),
    xAxis: { ...valueAxis(palette), show: false, max: 'dataMax' },
    yAxis: {
      type: 'category',
      inverse: true,
      data: values.map(({ name }) => name),
      axisTick: { show: false },
      axisLine: { show: false },
      axisLabel: {
        color: palette.text,
        fontSize,
        interval: 0,
        formatter: (_: string, at: number) => names[at] ?? '',
      },
    },
    series: [
      bars(
        'Current period',
        values.map(({ value }, at) => {
          const chosen = own[at]
          return chosen ? { value, itemStyle: { color: chosen } } : value
        }),
        color,
      ),
      ...(previous.size > 0
        ? [
            bars(
              'Previous period',
              shown.map(({ hue }) => previousTotal(hue)),
              paler(palette, color),
            ),
          ]
        : []),
    ],
    format,
    ...(hidden > 0 && { limited: toLimited(all, settings) }),
    summary: summarizeValues(
      current.map(({ name, series }) => ({ name, value: totalOf(series) })),
      format,
    ),
    findPoint(bars, index) {
      const one = shown[index]
      const series = bars === 0 ? one?.series : previous.get(one?.hue ?? -1)
      return series && { series: all.indexOf(series) }
    },
  }
}

export const valueTable = (
  all: readonly TrendSeries[],
  frame: Frame,
  settings: DisplaySettings,
): Drawing => drawTable(frame, toValueTable(all, settings))
