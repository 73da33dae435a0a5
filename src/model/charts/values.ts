import type { EChartsOption } from 'echarts'
import type { Look } from '../chart.ts'
import { fullNumber, percent, shortNumber } from '../format.ts'
import { paler, paletteOf, seriesColor } from '../palette.ts'
import type { TrendSeries } from '../query-results.ts'
import { nameSeries, wholeValue } from '../series-names.ts'
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
import { table } from './table.ts'

const BAR_ROW = 26

/** One bar for each series, the largest first. */
export function valueBars(all: readonly TrendSeries[], look: Look): EChartsOption {
  const palette = paletteOf(look.scheme)
  const named = nameSeries(all)
  const current = named
    .filter(({ isPrevious }) => !isPrevious)
    .sort((one, other) => wholeValue(other.series) - wholeValue(one.series))
  const previous = new Map(
    named
      .filter(({ isPrevious }) => isPrevious)
      .map(({ hue, series }) => [hue, wholeValue(series)]),
  )
  const legendNames = previous.size > 0 ? ['This period', 'The period before'] : []
  const { legend, height } = legendBelow(look, legendNames)
  const rowHeight = previous.size > 0 ? BAR_ROW * 1.5 : BAR_ROW
  const most = Math.max(1, Math.floor((look.height - height - 40) / rowHeight))
  const shown = current.slice(0, most)
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
    ...base(look),
    legend,
    graphic: hidden > 0 && height === 0 ? [moreText(look, hidden)] : [],
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
        width: Math.round(look.width * (isNarrow(look) ? 0.34 : 0.28)),
        overflow: 'truncate',
        ellipsis: '…',
      },
    },
    series: [
      bars(
        'This period',
        shown.map(({ series }) => wholeValue(series)),
        color,
      ),
      ...(previous.size > 0
        ? [
            bars(
              'The period before',
              shown.map(({ hue }) => previous.get(hue) ?? 0),
              paler(palette, color),
            ),
          ]
        : []),
    ],
  }
}

export function bigNumber(all: readonly TrendSeries[], look: Look): EChartsOption {
  const palette = paletteOf(look.scheme)
  const named = nameSeries(all)
  const current = named.find(({ isPrevious }) => !isPrevious) ?? named[0]
  const previous = named.find(({ isPrevious }) => isPrevious)
  const value = current ? wholeValue(current.series) : 0
  const text = fullNumber(value)
  const size = Math.max(
    16,
    Math.min(72, look.height * 0.34, (look.width - 32) / (text.length * 0.62)),
  )
  const [x, y] = [look.width / 2, look.height / 2]
  const number = (at: number) =>
    drawText(text, x, at, palette.text, { size, weight: 600, align: 'center' })
  if (!previous) return drawing(look, [number(y)])
  const change = changeInWords(value, wholeValue(previous.series))
  const below = drawText(change, x, y + size * 0.62 + 4, palette.dimmed, {
    size: 13,
    align: 'center',
    width: look.width - 24,
  })
  return drawing(look, [number(y - 12), below])
}

export function changeInWords(now: number, before: number): string {
  const was = `${fullNumber(before)} the period before`
  if (before === 0 || now === before) return was
  const change = (now - before) / Math.abs(before)
  return `${change > 0 ? '+' : '−'}${percent(Math.abs(change))}, ${was}`
}

export function valueTable(all: readonly TrendSeries[], look: Look): EChartsOption {
  const named = nameSeries(all)
  const rows = named.map(({ name, series }) => [name, fullNumber(wholeValue(series))])
  return table(look, ['Series', 'Value'], rows, [false, true])
}
