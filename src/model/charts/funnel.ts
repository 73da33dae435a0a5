import { type Chart, type Drawing, type Frame, NO_EVENTS } from '../chart.ts'
import { duration, fullNumber, percent, shortNumber } from '../format.ts'
import { fieldsOf, listOf } from '../json.ts'
import { paletteOf, seriesColor } from '../palette.ts'
import { unwrapQuery } from '../query-node.ts'
import {
  type FunnelResult,
  type FunnelStep,
  isFunnelTimes,
  isFunnelTrend,
} from '../query-results.ts'
import { toStepName } from '../series-names.ts'
import { funnelColumns, hasRoomForColumns } from './funnel-columns.ts'
import { funnelGroups } from './funnel-groups.ts'
import { funnelTimes, funnelTrend } from './funnel-over-time.ts'
import { base, gridAbove, isNarrow, message } from './parts.ts'
import { summarizeFunnel } from './summary.ts'

export function drawFunnel({ query, result }: Chart, frame: Frame): Drawing {
  if (isFunnelTimes(result)) return funnelTimes(result, frame)
  if (isFunnelTrend(result)) return funnelTrend(result, frame, unwrapQuery(query).source.interval)
  const steps = listOf<FunnelStep | readonly FunnelStep[]>(result as FunnelResult)
  const groups = steps.map((one) => (Array.isArray(one) ? (one as FunnelStep[]) : []))
  const isBrokenDown = groups.some((group) => group.length > 0)
  const all = isBrokenDown ? groups.flat() : (steps as readonly FunnelStep[])
  if (!all.some(({ count }) => count > 0)) return message(frame, NO_EVENTS)
  const drawn = isBrokenDown ? groups : [all]
  if (!isHorizontal(query) && hasRoomForColumns(drawn[0]?.length ?? 0, frame)) {
    return funnelColumns(drawn, frame)
  }
  return isBrokenDown ? funnelGroups(groups, frame) : funnelSteps(all, frame)
}

const isHorizontal = (query: object): boolean =>
  fieldsOf(unwrapQuery(query).source.funnelsFilter).layout === 'horizontal'

/** Draws one horizontal bar per step, with name and count above it and conversion time below. */
function funnelSteps(steps: readonly FunnelStep[], frame: Frame): Drawing {
  const palette = paletteOf(frame.scheme)
  const row = (frame.height - 16) / steps.length
  const thickness = Math.max(4, Math.min(28, row * 0.32))
  const isRoomy = row >= 52
  const hasNames = row >= 20
  const transparent = { color: 'transparent' }
  const write = (at: readonly string[], position: readonly (string | number)[], end = false) => ({
    show: true,
    position: position as [string | number, string | number],
    align: end ? ('right' as const) : ('left' as const),
    verticalAlign: position[1] === -5 ? ('bottom' as const) : ('top' as const),
    formatter: ({ dataIndex }: { dataIndex: number }) => at[dataIndex] ?? '',
    fontSize: row < 32 ? 11 : 12,
  })
  const overlay = (label: object, itemStyle: object, silent = true) => ({
    type: 'bar' as const,
    data: steps.map(() => 1),
    barGap: '-100%',
    barWidth: thickness,
    silent,
    itemStyle,
    label,
  })
  const print = isNarrow(frame) ? shortNumber : fullNumber
  const counts = steps.map((step) => `${print(step.count)}  ·  ${percent(step.conversion_rate)}`)

  return {
    ...base(frame),
    grid: hasNames
      ? { left: 14, right: 14, top: isRoomy ? 6 : 12, bottom: isRoomy ? 10 : 4 }
      : gridAbove(0, 4, 14),
    xAxis: { type: 'value', min: 0, max: 1, show: false },
    yAxis: {
      type: 'category',
      inverse: true,
      show: !hasNames,
      data: steps.map(toStepName),
      axisLabel: { color: palette.text, fontSize: 10, width: 110, overflow: 'truncate' },
    },
    series: [
      overlay(
        {
          ...write(counts, ['100%', -5], true),
          show: hasNames,
          color: palette.text,
          fontWeight: 500,
        },
        { color: palette.hairline, borderRadius: 4 },
        false,
      ),
      {
        type: 'bar',
        data: steps.map(({ conversion_rate }) => conversion_rate),
        barGap: '-100%',
        barWidth: thickness,
        itemStyle: { color: seriesColor(palette, 0), borderRadius: 4 },
      },
      overlay(
        {
          ...write(steps.map(toStepName), [0, -5]),
          show: hasNames,
          color: palette.text,
          width: frame.width - (isNarrow(frame) ? 140 : 170),
          overflow: 'truncate',
          ellipsis: '…',
        },
        transparent,
      ),
      overlay(
        {
          ...write(steps.map(toPaceText), [0, thickness + 4]),
          show: isRoomy,
          color: palette.dimmed,
          fontSize: 11,
        },
        transparent,
      ),
    ],
    summary: summarizeFunnel([steps], []),
    // the bar is who came to the step, and the rest of its track is who did not
    findPoint: (bars, index) => ({ series: 0, index, ...(bars === 0 && { dropped: true }) }),
  }
}

function toPaceText(step: FunnelStep): string {
  if (step.order === 0) return ''
  const share = `${percent(step.step_conversion_rate)} of previous step`
  const median = step.median_conversion_time
  return median === null ? share : `${share}, median ${duration(median)}`
}
