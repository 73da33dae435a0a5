import type { BarSeriesOption } from 'echarts'
import type { Drawing, Frame } from '../chart.ts'
import { percent, shortNumber } from '../format.ts'
import { paletteOf, seriesColor } from '../palette.ts'
import { toStepName } from '../series-names.ts'
import { type FunnelGroup, toDrawnGroups } from './funnel-values.ts'
import { shortenLabels } from './labels.ts'
import { legendBelow } from './legend.ts'
import { base, gridAbove, isNarrow } from './parts.ts'
import { summarizeFunnel } from './summary.ts'

/** Numbers beside thinner bars would overlap. */
const MIN_LABELED_BAR = 7

/** Draws the steps of each breakdown value side by side. */
export function funnelGroups(groups: readonly FunnelGroup[], frame: Frame): Drawing {
  const palette = paletteOf(frame.scheme)
  const steps = groups[0] ?? []
  const { drawn, names, omitted, isRest } = toDrawnGroups(groups)
  const { legend, height, graphic } = legendBelow(frame, names, { notDrawn: omitted })
  const step = (frame.height - height - 12) / Math.max(1, steps.length)
  const bar = (step * 0.8) / drawn.length
  const fontSize = bar < 9 ? 8 : bar < 13 ? 9 : 11
  const nameWidth = isNarrow(frame) ? 84 : Math.round(frame.width * 0.24)
  const nameRows = step > 34 ? 2 : 1
  const maxCharacters = Math.floor((nameWidth / 6.6) * nameRows)
  const stepNames = shortenLabels(steps.map(toStepName), maxCharacters)

  const series = drawn.map((group, at): BarSeriesOption => {
    const labels = group.map(
      ({ count, conversion_rate }) => `${shortNumber(count)} · ${percent(conversion_rate)}`,
    )
    return {
      type: 'bar',
      name: names[at],
      data: group.map(({ conversion_rate }) => conversion_rate),
      barMaxWidth: 18,
      barGap: '12%',
      barCategoryGap: '18%',
      itemStyle: {
        color: isRest(at) ? palette.dimmed : seriesColor(palette, at),
        borderRadius: [0, 3, 3, 0],
      },
      label: {
        show: bar >= MIN_LABELED_BAR,
        position: 'right',
        color: palette.text,
        fontSize,
        formatter: ({ dataIndex }) => labels[dataIndex] ?? '',
      },
    }
  })
  return {
    ...base(frame),
    format: { full: percent, short: percent, percent },
    legend,
    graphic,
    grid: gridAbove(height, 4, 8),
    // leaves room for the label beside a full bar
    xAxis: { type: 'value', min: 0, max: isNarrow(frame) ? 1.6 : 1.3, show: false },
    yAxis: {
      type: 'category',
      inverse: true,
      data: steps.map(toStepName),
      axisTick: { show: false },
      axisLine: { lineStyle: { color: palette.hairline } },
      axisLabel: {
        color: palette.text,
        fontSize: 12,
        interval: 0,
        width: nameWidth,
        overflow: 'break',
        formatter: (_: string, at: number) => stepNames[at] ?? '',
      },
    },
    series,
    summary: summarizeFunnel(drawn, names),
    findPoint(bars, index) {
      const at = groups.indexOf(drawn[bars] ?? [])
      return at < 0 ? undefined : { series: at, index }
    },
  }
}
