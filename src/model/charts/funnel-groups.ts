import type { BarSeriesOption } from 'echarts'
import type { Drawing, Frame } from '../chart.ts'
import { percent, shortNumber, toDistinct, toLabel } from '../format.ts'
import { paletteOf, seriesColor } from '../palette.ts'
import type { FunnelStep } from '../query-results.ts'
import { shownValue, toStepName } from '../series-names.ts'
import { base, gridAbove, isNarrow, legendBelow } from './parts.ts'

const MIN_BAR = 12

/** Draws the steps of each breakdown value side by side, for as many values as fit. */
export function funnelGroups(groups: readonly (readonly FunnelStep[])[], frame: Frame): Drawing {
  const palette = paletteOf(frame.scheme)
  const steps = groups[0] ?? []
  const room = Math.floor((frame.height * 0.75) / Math.max(1, steps.length) / MIN_BAR) - 1
  const shown = groups.slice(0, Math.max(1, Math.min(room, palette.series.length)))
  const names = toDistinct(shown.map(([first]) => toLabel(first && shownValue(first))))
  const { legend, height, graphic } = legendBelow(frame, names)

  const series = shown.map((group, at): BarSeriesOption => {
    const labels = group.map(
      (step) => `${shortNumber(step.count)} · ${percent(step.conversion_rate)}`,
    )
    return {
      type: 'bar',
      name: names[at],
      data: group.map(({ conversion_rate }) => conversion_rate),
      barMaxWidth: 18,
      barGap: '15%',
      barCategoryGap: '28%',
      itemStyle: { color: seriesColor(palette, at), borderRadius: [0, 3, 3, 0] },
      label: {
        show: true,
        position: 'right',
        color: palette.text,
        fontSize: 11,
        formatter: ({ dataIndex }) => labels[dataIndex] ?? '',
      },
    }
  })
  return {
    ...base(frame),
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
        width: isNarrow(frame) ? 84 : Math.round(frame.width * 0.24),
        overflow: isNarrow(frame) ? 'break' : 'truncate',
        ellipsis: '…',
      },
    },
    series,
    findPoint: (group, index) => ({ series: group, index }),
  }
}
