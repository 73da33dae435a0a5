import type { EChartsOption } from 'echarts'
import type { Drawing, Frame } from '../chart.ts'
import { formatChange, fullNumber, shortNumber } from '../format.ts'
import { paler, paletteOf, seriesColor } from '../palette.ts'
import type { TrendSeries } from '../query-results.ts'
import { nameSeries, totalOf } from '../series-names.ts'
import {
  base,
  drawing,
  drawText,
  gridAbove,
  isNarrow,
  legendBelow,
  moreText,
  valueAxis,
} from './parts.ts'
import { drawTable } from './table.ts'

const BAR_ROW = 26

/** Draws one bar per series, largest first. */
export function valueBars(all: readonly TrendSeries[], frame: Frame): Drawing {
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
  const { legend, height } = legendBelow(frame, legendNames)
  const rowHeight = previous.size > 0 ? BAR_ROW * 1.5 : BAR_ROW
  const maxBars = Math.max(1, Math.floor((frame.height - height - 40) / rowHeight))
  const shown = current.slice(0, maxBars)
  const hidden = current.length - shown.length
  const label = {
    show: true,
    position: 'right' as const,
    color: palette.text,
    fontSize: 12,
    formatter: ({ value }: { value?: unknown }) => shortNumber(Number(value)),
  }
  const color = seriesColor(palette, 0)
  const bars = (name: string, data: number[], fill: string) => ({
    type: 'bar' as const,
    name,
    data,
    label,
    barMaxWidth: 22,
    itemStyle: { color: fill, borderRadius: [0, 3, 3, 0] },
  })
  return {
    ...base(frame),
    legend,
    graphic: hidden > 0 && height === 0 ? [moreText(frame, hidden)] : [],
    grid: gridAbove(height + (hidden > 0 && height === 0 ? 14 : 0), 6, 52),
    xAxis: { ...valueAxis(palette), show: false },
    yAxis: {
      type: 'category',
      inverse: true,
      data: shown.map(({ name }) => name),
      axisTick: { show: false },
      axisLine: { show: false },
      axisLabel: {
        color: palette.text,
        fontSize: 12,
        interval: 0,
        width: Math.round(frame.width * (isNarrow(frame) ? 0.34 : 0.28)),
        overflow: 'truncate',
        ellipsis: '…',
      },
    },
    series: [
      bars(
        'Current period',
        shown.map(({ series }) => totalOf(series)),
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
    findPoint(bars, index) {
      const one = shown[index]
      const series = bars === 0 ? one?.series : previous.get(one?.hue ?? -1)
      return series && { series: all.indexOf(series) }
    },
  }
}

export function bigNumber(all: readonly TrendSeries[], frame: Frame): EChartsOption {
  const palette = paletteOf(frame.scheme)
  const named = nameSeries(all)
  const current = named.find(({ isPrevious }) => !isPrevious) ?? named[0]
  const previous = named.find(({ isPrevious }) => isPrevious)
  const value = current ? totalOf(current.series) : 0
  const text = fullNumber(value)
  const size = Math.max(
    16,
    Math.min(72, frame.height * 0.34, (frame.width - 32) / (text.length * 0.62)),
  )
  const [x, y] = [frame.width / 2, frame.height / 2]
  const number = (at: number) =>
    drawText(text, x, at, palette.text, { size, weight: 600, align: 'center' })
  if (!previous) return drawing(frame, [number(y)])
  const change = formatChange(value, totalOf(previous.series))
  const below = drawText(change, x, y + size * 0.62 + 4, palette.dimmed, {
    size: 13,
    align: 'center',
    width: frame.width - 24,
  })
  return drawing(frame, [number(y - 12), below])
}

export function valueTable(all: readonly TrendSeries[], frame: Frame): EChartsOption {
  const named = nameSeries(all)
  const rows = named.map(({ name, series }) => [name, fullNumber(totalOf(series))])
  return drawTable(frame, ['Series', 'Value'], rows, [false, true])
}
