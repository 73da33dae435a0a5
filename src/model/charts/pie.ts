import type { Drawing, Frame } from '../chart.ts'
import { percent, shorten, shortNumber } from '../format.ts'
import { FONT, paletteOf, seriesColor } from '../palette.ts'
import type { TrendSeries } from '../query-results.ts'
import { nameSeries, totalOf } from '../series-names.ts'
import { base, drawText } from './parts.ts'

const LEGEND_ROW = 24

/** Draws a ring with the total inside, and a legend with shares beside it, or below it if the chart is narrow. */
export function pie(all: readonly TrendSeries[], frame: Frame): Drawing {
  const palette = paletteOf(frame.scheme)
  const isTall = frame.width < 320 || frame.height > frame.width * 1.2
  const radius = isTall
    ? Math.min(frame.width * 0.38, frame.height * 0.28)
    : Math.min(frame.height * 0.42, frame.width * 0.22)
  const center = isTall
    ? [frame.width / 2, radius + 12]
    : [Math.max(radius + 16, frame.width * 0.26), frame.height / 2]
  const [x, y] = center as [number, number]
  const legendTop = isTall ? y + radius + 14 : 0
  const room = Math.max(2, Math.floor((frame.height - legendTop - 8) / LEGEND_ROW))
  const parts = toParts(all, Math.min(room, palette.series.length))
  const total = parts.reduce((sum, { value }) => sum + value, 0)
  const shares = new Map(parts.map(({ name, value }) => [name, value / total]))
  const legendLeft = isTall ? 16 : x + radius + 20
  const maxCharacters = Math.max(8, Math.floor((frame.width - legendLeft - 76) / 7))

  return {
    ...base(frame),
    graphic: [
      drawText(shortNumber(total), x, y, palette.text, {
        size: Math.max(14, Math.min(28, radius * 0.34)),
        weight: 600,
        align: 'center',
      }),
    ],
    legend: {
      type: 'plain',
      orient: 'vertical',
      left: legendLeft,
      top: isTall ? legendTop : 'middle',
      itemGap: 10,
      itemWidth: 10,
      itemHeight: 10,
      icon: 'roundRect',
      textStyle: { color: palette.text, fontSize: 12, fontFamily: FONT },
      formatter: (name: string) =>
        `${shorten(name, maxCharacters)} · ${percent(shares.get(name) ?? 0)}`,
    },
    series: [
      {
        type: 'pie',
        center,
        radius: [radius * 0.62, radius],
        label: { show: false },
        data: parts.map(({ name, value }, at) => ({
          name,
          value,
          itemStyle: {
            color: seriesColor(palette, at),
            borderColor: palette.surface,
            borderWidth: 2,
          },
        })),
      },
    ],
    findPoint(_, index) {
      const series = parts[index]?.series
      return series && { series: all.indexOf(series) }
    },
  }
}

interface Part {
  readonly name: string
  readonly value: number
  /** Absent from the rest, which is several. */
  readonly series?: TrendSeries
}

/** Keeps the largest parts and merges the rest. Omits values that are not positive, which have no share. */
function toParts(all: readonly TrendSeries[], maxParts: number): readonly Part[] {
  const parts = nameSeries(all)
    .filter(({ isPrevious }) => !isPrevious)
    .map(({ name, series }) => ({ name, value: totalOf(series), series }))
    .filter(({ value }) => value > 0)
    .sort((one, other) => other.value - one.value)
  if (parts.length <= maxParts) return parts
  const rest = parts.slice(maxParts - 1).reduce((sum, { value }) => sum + value, 0)
  return [...parts.slice(0, maxParts - 1), { name: 'All others', value: rest }]
}
