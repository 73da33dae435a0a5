import { type Chart, type Drawing, type Frame, NO_EVENTS } from '../chart.ts'
import { shortDay } from '../format.ts'
import { listOf } from '../json.ts'
import { paletteOf, seriesColor } from '../palette.ts'
import { unwrapQuery } from '../query-node.ts'
import type { LifecycleSeries } from '../query-results.ts'
import { legendBelow } from './legend.ts'
import { base, categoryAxis, gridAbove, message, valueAxis } from './parts.ts'
import { summarizeSeries } from './summary.ts'

/** The statuses in stacking order, from zero outwards, with their color indexes. */
const STATUSES = [
  ['returning', 'Returning', 1],
  ['resurrecting', 'Resurrecting', 2],
  ['new', 'New', 0],
  ['dormant', 'Dormant', 3],
] as const

/** Draws active persons above the axis and dormant persons below it. */
export function drawLifecycle({ query, result }: Chart, frame: Frame): Drawing {
  const palette = paletteOf(frame.scheme)
  const series = listOf<LifecycleSeries>(result)
  if (!series.some(({ data }) => data.some((value) => value !== 0))) {
    return message(frame, NO_EVENTS)
  }
  const { interval } = unwrapQuery(query).source
  const shown = STATUSES.flatMap(([status, name, color]) =>
    series
      .filter((one) => one.status === status)
      .map((one) => ({ name, color, data: one.data, at: series.indexOf(one) })),
  )
  const names = [...new Set(shown.map(({ name }) => name))]
  const { legend, height, graphic } = legendBelow(frame, names)
  const days = (series[0]?.days ?? []).map((day) => shortDay(day, interval))
  return {
    ...base(frame),
    legend,
    graphic,
    grid: gridAbove(height),
    xAxis: { ...categoryAxis(palette, days), axisLine: { show: false, onZero: false } },
    yAxis: valueAxis(
      palette,
      shown.flatMap(({ data }) => data),
    ),
    series: shown.map(({ name, color, data }) => ({
      type: 'bar',
      name,
      stack: 'people',
      data: [...data],
      barMaxWidth: 36,
      itemStyle: { color: seriesColor(palette, color) },
    })),
    summary: summarizeSeries(
      shown.map(({ name, data }) => ({ name, series: { data } })),
      days,
    ),
    days: series[0]?.days,
    findPoint: (bars, index) => ({ series: shown[bars]?.at ?? 0, index }),
  }
}
