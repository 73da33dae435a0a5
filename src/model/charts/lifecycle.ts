import { type Chart, type Drawing, type Frame, NO_EVENTS } from '../chart.ts'
import { settingsOf } from '../display-settings.ts'
import { shortDay } from '../format.ts'
import { listOf } from '../json.ts'
import { paletteOf, seriesColor } from '../palette.ts'
import { unwrapQuery } from '../query-node.ts'
import type { LifecycleSeries } from '../query-results.ts'
import { toDayAxis } from './day-axis.ts'
import { legendBelow } from './legend.ts'
import { base, categoryAxis, gridAbove, message, valueAxis } from './parts.ts'
import { summarizeSeries } from './summary.ts'
import { hatchLast, toHeadings } from './unfinished.ts'

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
  const { legend, height, graphic } = legendBelow(frame, names, {
    show: settingsOf(query).showLegend,
  })
  const { days: starts = [], unfinished = false } = series[0] ?? {}
  const days = starts.map((day) => shortDay(day, interval))
  const axis = categoryAxis(palette, days)
  const { skipped, labels } = toDayAxis(starts, interval, { width: frame.width, isLine: false })
  return {
    ...base(frame),
    legend,
    graphic,
    grid: gridAbove(height),
    xAxis: {
      ...axis,
      axisLine: { show: false, onZero: false },
      axisLabel: {
        ...axis.axisLabel,
        interval: skipped,
        formatter: (_: string, at: number) => labels[at] ?? '',
      },
    },
    yAxis: valueAxis(palette, { values: shown.flatMap(({ data }) => data) }),
    series: shown.map(({ name, color, data }) => ({
      type: 'bar',
      name,
      stack: 'people',
      data: unfinished ? hatchLast(data, palette) : [...data],
      barMaxWidth: 36,
      itemStyle: { color: seriesColor(palette, color) },
    })),
    summary: summarizeSeries(
      shown.map(({ name, data }) => ({ name, series: { data } })),
      days,
    ),
    days: starts,
    headings: toHeadings(starts, interval, unfinished),
    findPoint: (bars, index) => ({ series: shown[bars]?.at ?? 0, index }),
  }
}
