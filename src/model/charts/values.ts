import type { Drawing, Frame } from '../chart.ts'
import { formatChange, fullNumber, shortNumber } from '../format.ts'
import { paler, paletteOf, seriesColor } from '../palette.ts'
import type { TrendSeries } from '../query-results.ts'
import { nameSeries, totalOf, toValueRows } from '../series-names.ts'
import { shortenLabels } from './labels.ts'
import { legendBelow, moreText } from './legend.ts'
import { MAX_BARS } from './limits.ts'
import { base, drawing, drawText, gridAbove, isNarrow, valueAxis } from './parts.ts'
import { summarizeValues } from './summary.ts'
import { drawTable } from './table.ts'

/** A thinner row cannot be read; only tiles of one or two rows are so low. */
const MIN_ROW = 9

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
  const room = frame.height - 26
  const maxBars = Math.max(1, Math.min(MAX_BARS, Math.floor(room / MIN_ROW)))
  const shown = current.slice(0, maxBars)
  const hidden = current.length - shown.length
  const { legend, height, graphic } = legendBelow(frame, legendNames, hidden)
  const more = hidden > 0 && height === 0 ? [moreText(frame, hidden)] : graphic
  const bottom = hidden > 0 && height === 0 ? 14 : height
  const fontSize = (room - bottom) / shown.length < 15 ? 10 : 12
  const nameWidth = Math.round(frame.width * (isNarrow(frame) ? 0.36 : 0.3))
  const names = shortenLabels(
    shown.map(({ name }) => name),
    Math.max(8, Math.floor(nameWidth / (fontSize * 0.58))),
  )
  const label = {
    show: true,
    position: 'right' as const,
    color: palette.text,
    fontSize,
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
  const values = shown.map(({ name, series }) => ({ name, value: totalOf(series) }))
  return {
    ...base(frame),
    legend,
    graphic: more,
    grid: gridAbove(bottom, 6, 52),
    xAxis: { ...valueAxis(palette), show: false },
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
        values.map(({ value }) => value),
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
    summary: summarizeValues(current.map(({ name, series }) => ({ name, value: totalOf(series) }))),
    findPoint(bars, index) {
      const one = shown[index]
      const series = bars === 0 ? one?.series : previous.get(one?.hue ?? -1)
      return series && { series: all.indexOf(series) }
    },
  }
}

export function bigNumber(all: readonly TrendSeries[], frame: Frame): Drawing {
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
    drawText(text, { x, y: at, fill: palette.text, size, weight: 600, align: 'center' })
  const name = current?.name ?? ''
  if (!previous) return { ...drawing(frame, [number(y)]), summary: `${name}: ${text}.` }
  const change = formatChange(value, totalOf(previous.series))
  const below = drawText(change, {
    x,
    y: y + size * 0.62 + 4,
    fill: palette.dimmed,
    size: 13,
    align: 'center',
    width: frame.width - 24,
  })
  return { ...drawing(frame, [number(y - 12), below]), summary: `${name}: ${text}, ${change}.` }
}

export function valueTable(all: readonly TrendSeries[], frame: Frame): Drawing {
  const [columns, ...rows] = toValueRows(all)
  const texts = rows.map(([name, value]) => [String(name), fullNumber(Number(value))])
  return drawTable(frame, columns as string[], texts, [false, true])
}
