import type { BarSeriesOption } from 'echarts'
import type { Drawing, Frame } from '../chart.ts'
import { OTHER, percent, shortNumber, toDistinct, toLabel } from '../format.ts'
import { labelValues } from '../names/event-label.ts'
import { paletteOf, seriesColor } from '../palette.ts'
import type { FunnelStep } from '../query-results.ts'
import { shownValue, toStepName } from '../series-names.ts'
import { shortenLabels } from './labels.ts'
import { legendBelow } from './legend.ts'
import { MAX_FUNNEL_GROUPS, splitRest } from './limits.ts'
import { base, gridAbove, isNarrow } from './parts.ts'
import { summarizeFunnel } from './summary.ts'

type Group = readonly FunnelStep[]

/** Numbers beside thinner bars would overlap. */
const MIN_LABELED_BAR = 7

/** Draws the steps of each breakdown value side by side. */
export function funnelGroups(groups: readonly Group[], frame: Frame): Drawing {
  const palette = paletteOf(frame.scheme)
  const steps = groups[0] ?? []
  const { shown, rest, restName, omitted } = splitRest(groups, {
    max: MAX_FUNNEL_GROUPS,
    isOther,
    // each person has one value of a property, and can be in several cohorts
    isMerged: !groups.some(([first]) => first?.breakdown_label !== undefined),
  })
  const drawn = rest.length > 0 ? [...shown, addUp(rest)] : shown
  const values = shown.map(([first]) => first && shownValue(first))
  const labelValue = labelValues(values)
  const names = toDistinct(values.map((value) => toLabel(value && labelValue(value))))
  if (rest.length > 0) names.push(restName)
  const { legend, height, graphic } = legendBelow(frame, names, { notDrawn: omitted })
  const step = (frame.height - height - 12) / Math.max(1, steps.length)
  const bar = (step * 0.8) / drawn.length
  const fontSize = bar < 9 ? 8 : bar < 13 ? 9 : 11
  const nameWidth = isNarrow(frame) ? 84 : Math.round(frame.width * 0.24)
  const nameRows = step > 34 ? 2 : 1
  const maxCharacters = Math.floor((nameWidth / 6.6) * nameRows)
  const stepNames = shortenLabels(steps.map(toStepName), maxCharacters)

  const series = drawn.map((group, at): BarSeriesOption => {
    const isRest = at >= shown.length || isOther(group)
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
        color: isRest ? palette.dimmed : seriesColor(palette, at),
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

const isOther = ([first]: Group): boolean => first?.breakdown_value === OTHER

/** Adds up the counts, from which the rates follow. */
function addUp(groups: readonly Group[]): Group {
  const counts = (groups[0] ?? []).map((_, at) =>
    groups.reduce((sum, group) => sum + (group[at]?.count ?? 0), 0),
  )
  const share = (count: number, of: number) => (of > 0 ? count / of : 0)
  return (groups[0] ?? []).map((step, at) => ({
    ...step,
    count: counts[at] ?? 0,
    conversion_rate: share(counts[at] ?? 0, counts[0] ?? 0),
    step_conversion_rate: share(counts[at] ?? 0, counts[Math.max(0, at - 1)] ?? 0),
  }))
}
