import type { Drawing, Frame } from '../chart.ts'
import type { DisplaySettings } from '../display-settings.ts'
import type { NumberFormat } from '../number-format.ts'
import { FONT, paletteOf } from '../palette.ts'
import { addsUp } from '../query-kinds/additive.ts'
import type { TrendSeries } from '../query-results.ts'
import { lookOf } from '../series-look.ts'
import { type NamedSeries, nameSeries, totalOf } from '../series-names.ts'
import { toLimited } from '../value-table.ts'
import { shortenLabels } from './labels.ts'
import { moreText, WHOLE_NAME } from './legend.ts'
import { MAX_NAMES, splitRest } from './limits.ts'
import { base, drawText, isNarrow } from './parts.ts'
import { summarizeValues } from './summary.ts'

export interface ValueStyle {
  readonly format: NumberFormat
  readonly settings: DisplaySettings
}

const MAX_GAP = 10
const TEXT_HEIGHT = 14

/**
 * Draws a ring with the total inside, or a full circle, and a legend with shares beside it, or below it where that leaves
 * more room. Numbers that do not add up have no total and no shares, so the legend shows the numbers.
 */
export function pie(
  all: readonly TrendSeries[],
  frame: Frame,
  { format, settings }: ValueStyle,
): Drawing {
  const palette = paletteOf(frame.scheme)
  const isWhole = addsUp(all)
  const named = nameSeries(all)
  const { parts, omitted, isLimited } = toParts(named, isWhole)
  const { width, height } = frame
  const above = Math.min(width * 0.38, height * 0.28)
  const beside = Math.min(height * 0.42, width * (isNarrow(frame) ? 0.17 : 0.22))
  // a longer legend needs the whole height
  const isTall = width < 240 || (above > beside && parts.length < 5)
  const radius = isTall ? above : beside
  const center = isTall
    ? [width / 2, radius + 12]
    : [Math.max(radius + 12, isNarrow(frame) ? 0 : width * 0.26), height / 2]
  const [x, y] = center as [number, number]
  const legendTop = isTall ? y + radius + 14 : 0
  const hasHole = settings.pieShape !== 'full'
  const look = lookOf(named, palette, settings)
  const legendHeight = height - legendTop - (omitted > 0 ? 28 : 12)
  const itemGap = Math.min(MAX_GAP, Math.floor(legendHeight / parts.length) - TEXT_HEIGHT)
  const total = parts.reduce((sum, { value }) => sum + value, 0)
  const amounts = new Map(
    parts.map(({ name, value }) => [
      name,
      isWhole ? format.percent(value / total) : format.short(value),
    ]),
  )
  const legendLeft = isTall ? 16 : x + radius + 16
  const maxCharacters = Math.max(8, Math.floor((width - legendLeft - 76) / 6.6))
  const names = parts.map(({ name }) => name)
  const short = shortenLabels(
    parts.map(({ name, isRest }) => (isRest ? '' : name)),
    maxCharacters,
  )
  const labels = new Map(names.map((name, at) => [name, short[at] || name]))

  const drawTotal = (text: string) =>
    drawText(text, {
      x,
      y,
      fill: palette.text,
      size: Math.max(14, Math.min(28, radius * 0.34)),
      weight: 600,
      align: 'center',
    })

  return {
    ...base(frame),
    graphic: [
      ...(isWhole && hasHole ? [drawTotal(format.short(total))] : []),
      ...(omitted > 0 ? [moreText(frame, omitted)] : []),
    ],
    legend: {
      type: 'plain',
      orient: 'vertical',
      left: legendLeft,
      top: isTall ? legendTop : 'middle',
      itemGap: Math.max(0, itemGap),
      padding: 0,
      itemWidth: 10,
      itemHeight: 10,
      icon: 'roundRect',
      textStyle: { color: palette.text, fontSize: 12, fontFamily: FONT },
      formatter: (name: string) => `${labels.get(name)} · ${amounts.get(name)}`,
      tooltip: WHOLE_NAME,
      selected: Object.fromEntries(look.hidden.map((name) => [name, false])),
    },
    series: [
      {
        type: 'pie',
        // replaces the share in tooltips
        ...(!isWhole && { name: 'Value' }),
        animationDuration: 0, // a pie has a duration of its own
        center,
        radius: [hasHole ? radius * 0.62 : 0, radius],
        label: { show: false },
        data: parts.map(({ name, value, one }) => ({
          name,
          value,
          itemStyle: {
            color: one ? look.colorOf(one) : palette.dimmed,
            borderColor: palette.surface,
            borderWidth: 2,
          },
        })),
      },
    ],
    format,
    summary: summarizeValues(parts, format),
    ...(isLimited && { limited: toLimited(all, settings) }),
    findPoint(_, index) {
      const series = parts[index]?.one?.index
      return series === undefined ? undefined : { series }
    },
  }
}

interface Part {
  readonly name: string
  readonly value: number
  readonly isRest: boolean
  /** Absent from the rest, which is several. */
  readonly one?: NamedSeries
}

interface Parts {
  readonly parts: readonly Part[]
  readonly omitted: number
  /** Whether the result has more values than the pie shows. */
  readonly isLimited: boolean
}

/** Keeps the largest parts and merges the rest if it can. Omits values that are not positive, which have no share. */
function toParts(named: readonly NamedSeries[], isMerged: boolean): Parts {
  const parts = named
    .filter(({ isPrevious }) => !isPrevious)
    .map((one) => ({
      name: one.name,
      value: totalOf(one.series),
      one,
      isRest: one.isRest ?? false,
    }))
    .filter(({ value }) => value > 0)
    .sort((one, other) => other.value - one.value)
  const { shown, rest, restName, omitted } = splitRest(parts, {
    max: MAX_NAMES,
    isOther: ({ isRest }) => isRest,
    isMerged,
  })
  const isLimited = rest.length > 0 || omitted > 0
  if (rest.length === 0) return { parts: shown, omitted, isLimited }
  const value = rest.reduce((sum, part) => sum + part.value, 0)
  return { parts: [...shown, { name: restName, value, isRest: true }], omitted, isLimited }
}
