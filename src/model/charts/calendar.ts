import type { Drawing, Frame } from '../chart.ts'
import { shortDay, WEEKDAYS } from '../format.ts'
import type { NumberFormat } from '../number-format.ts'
import { addsUp } from '../query-kinds/additive.ts'
import type { TrendSeries } from '../query-results.ts'
import { nameSeries } from '../series-names.ts'
import { drawCells, type HeatCell } from './cells.ts'
import { MAX_WEEKS } from './limits.ts'
import { drawing } from './parts.ts'
import { summarizeSeries } from './summary.ts'

const [SUNDAY, ...OTHERS] = WEEKDAYS
const DAY = 86_400_000

interface Point {
  readonly at: number
  readonly hour: number
  readonly value: number
}

interface CalendarStyle {
  readonly interval: unknown
  readonly format: NumberFormat
}

const toWeekday = (at: number): number => (new Date(at).getUTCDay() + 6) % 7

/**
 * Draws a heatmap of weekdays by week, or by hour if the days have hours. Returns undefined if an interval is longer than
 * a cell, if several numbers that do not add up would share one, or if there are too many weeks to tell apart.
 */
export function calendar(
  all: readonly TrendSeries[],
  frame: Frame,
  { interval, format }: CalendarStyle,
): Drawing | undefined {
  if (interval === 'week' || interval === 'month') return undefined
  const points = toPoints(all)
  const isHourly = all.some(({ days }) => days.some((day) => day.length > 10))
  const first = points.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY)
  const firstMonday = first - toWeekday(first) * DAY
  const toColumn = ({ at, hour }: Point) =>
    isHourly ? hour : Math.floor((at - firstMonday) / (7 * DAY))

  const sums = new Map<string, number>()
  for (const point of points) {
    const key = `${toColumn(point)}:${toWeekday(point.at)}`
    sums.set(key, (sums.get(key) ?? 0) + point.value)
  }
  if (sums.size < points.length && !addsUp(all)) return undefined
  const most = Math.max(1, ...sums.values())
  const cells = [...sums].map(([key, value]): HeatCell => {
    const [column, row] = key.split(':').map(Number) as [number, number]
    return { column, row, heat: value / most, texts: [format.short(value)] }
  })
  const count = isHourly ? 24 : 1 + Math.max(0, ...cells.map(({ column }) => column))
  if (count > MAX_WEEKS) return undefined
  const columns = Array.from({ length: count }, (_, at) =>
    isHourly
      ? `${String(at).padStart(2, '0')}:00`
      : shortDay(new Date(firstMonday + at * 7 * DAY).toISOString(), 'day'),
  )
  const grid = { rows: [...OTHERS, SUNDAY], columns, cells, headWidth: 44, mostWidth: 84 }
  const intervals = (all[0]?.days ?? []).map((day) => shortDay(day, isHourly ? 'hour' : 'day'))
  return {
    ...drawing(frame, drawCells(frame, grid)),
    summary: summarizeSeries(nameSeries(all), intervals, format),
  }
}

/** Adds up all series, because a calendar shows one number per day. */
const toPoints = (all: readonly TrendSeries[]): Point[] =>
  all
    .filter(({ compare_label }) => compare_label !== 'previous')
    .flatMap(({ days, data }) =>
      days.map((day, at) => ({
        at: Date.parse(`${day.slice(0, 10)}T00:00:00Z`),
        hour: Number(day.slice(11, 13)) || 0,
        value: data[at] ?? 0,
      })),
    )
    .filter(({ at }) => Number.isFinite(at))
