import type { BarSeriesOption } from 'echarts'
import type { Drawing, Frame } from '../chart.ts'
import { duration, fullNumber, percent, shortNumber } from '../format.ts'
import { paletteOf, seriesColor } from '../palette.ts'
import type { FunnelStep } from '../query-results.ts'
import { toStepName } from '../series-names.ts'
import { type FunnelGroup, toDrawnGroups } from './funnel-values.ts'
import { shortenLabels } from './labels.ts'
import { legendBelow } from './legend.ts'
import { base, CHARACTER, drawText, type Graphic } from './parts.ts'
import { summarizeFunnel } from './summary.ts'

/** Names below narrower steps could not be read. */
const MIN_STEP_WIDTH = 72
const MIN_HEIGHT = 180
const SIDE = 10
/** The room for the label above a full column. */
const TOP = 24
const LINE = 17
/** Rates beside narrower columns would overlap. */
const MIN_LABELED = 40
/** Steps that are wider have whole sentences below. */
const ROOMY = 170

/** Tells whether columns can be read: on phones and in small tiles, bars are drawn instead. */
export const hasRoomForColumns = (steps: number, { width, height }: Frame): boolean =>
  (width - 2 * SIDE) / Math.max(1, steps) >= MIN_STEP_WIDTH && height >= MIN_HEIGHT

/** Draws a column for each step, with those who dropped off shaded above it, and what happened below it. */
export function funnelColumns(groups: readonly FunnelGroup[], frame: Frame): Drawing {
  const palette = paletteOf(frame.scheme)
  const isBrokenDown = groups[0]?.[0]?.breakdown_value !== undefined
  const { drawn, names, omitted, isRest } = toDrawnGroups(groups)
  const [steps = []] = groups
  const { legend, height, graphic } = legendBelow(frame, isBrokenDown ? names : [], {
    notDrawn: omitted,
  })
  const band = (frame.width - 2 * SIDE) / Math.max(1, steps.length)
  const lines = isBrokenDown ? [] : steps.map((step) => describeStep(step, band))
  const rows = 1 + Math.max(0, ...lines.map(({ length }) => length))
  const shownRows = frame.height - height - rows * LINE < MIN_HEIGHT / 2 ? 2 : rows
  const bottom = height + shownRows * LINE + 6
  const column = (band * 0.8) / drawn.length
  const shortNames = shortenLabels(steps.map(toStepName), Math.floor((band - 8) / CHARACTER))
  const write = (text: string, step: number, row: number): Graphic =>
    drawText(text, {
      x: SIDE + band * (step + 0.5),
      y: frame.height - bottom + 6 + LINE * (row + 0.5),
      fill: row === 0 ? palette.text : palette.dimmed,
      size: row === 0 ? 12 : 11,
      weight: row === 0 ? 500 : 400,
      align: 'center',
      width: band - 8,
    })

  return {
    ...base(frame),
    legend,
    graphic: [
      ...graphic,
      ...shortNames.map((name, at) => write(name, at, 0)),
      ...lines.flatMap((texts, at) =>
        texts.slice(0, shownRows - 1).map((text, row) => write(text, at, row + 1)),
      ),
    ],
    grid: { left: SIDE, right: SIDE, top: TOP, bottom },
    xAxis: {
      type: 'category',
      data: steps.map(toStepName),
      axisTick: { show: false },
      axisLine: { lineStyle: { color: palette.hairline } },
      axisLabel: { show: false },
    },
    yAxis: { type: 'value', min: 0, max: 1, show: false },
    series: drawn.flatMap((group, at): BarSeriesOption[] => {
      const color = isRest(at) ? palette.dimmed : seriesColor(palette, at)
      const shared = {
        type: 'bar' as const,
        stack: `${at}`,
        ...(isBrokenDown && { name: names[at] as string }),
        barMaxWidth: 140,
        barGap: '8%',
        barCategoryGap: '20%',
      }
      return [
        {
          ...shared,
          data: group.map(({ conversion_rate }) => conversion_rate),
          itemStyle: { color },
          label: {
            show: column >= MIN_LABELED,
            position: 'top',
            color: palette.text,
            fontSize: 12,
            fontWeight: 500,
            formatter: ({ dataIndex }) => percent(group[dataIndex]?.conversion_rate ?? 0),
          },
        },
        {
          ...shared,
          data: group.map((step, index) => toDropped(group, step, index)),
          itemStyle: { color, opacity: 0.16 },
        },
      ]
    }),
    format: { full: percent, short: percent, percent },
    summary: summarizeFunnel(drawn, isBrokenDown ? names : []),
    // each group has a column of who came to the step, and above it one of who did not
    findPoint(series, index) {
      const at = groups.indexOf(drawn[Math.floor(series / 2)] ?? [])
      if (at < 0) return undefined
      return { series: at, index, ...(series % 2 === 1 && { dropped: true }) }
    },
  }
}

/** The share of the first step that came to the step before, but not to this one. */
const toDropped = (group: FunnelGroup, { conversion_rate }: FunnelStep, index: number): number =>
  Math.max(0, (group[index - 1]?.conversion_rate ?? conversion_rate) - conversion_rate)

/** Describes a step in lines: how many, what share of the step before, and how long that took. */
function describeStep(step: FunnelStep, band: number): string[] {
  const { order, count, step_conversion_rate, median_conversion_time: median } = step
  const isRoomy = band >= ROOMY
  if (order === 0) return [isRoomy ? `${fullNumber(count)} people` : shortNumber(count)]
  const share = percent(step_conversion_rate)
  return [
    isRoomy ? `${fullNumber(count)} people` : shortNumber(count),
    isRoomy ? `${share} of previous step` : `→ ${share}`,
    ...(median === null ? [] : [isRoomy ? `median ${duration(median)}` : duration(median)]),
  ]
}
