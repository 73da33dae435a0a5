import type { BarSeriesOption, LineSeriesOption } from 'echarts'
import { dayWithWeekday } from '../format.ts'
import type { Palette } from '../palette.ts'
import type { Graphic } from './parts.ts'

/** Names the intervals in tooltips: `Tue 17 Nov`, and the current one `Tue 17 Nov, so far`. */
export const toHeadings = (
  days: readonly string[],
  interval: unknown,
  isUnfinished: boolean,
): string[] =>
  days.map((day, at) => {
    const isCurrent = isUnfinished && at === days.length - 1
    return isCurrent ? `${dayWithWeekday(day, interval)}, so far` : dayWithWeekday(day, interval)
  })

/** Hatches the last bar, because the current interval would look like a drop. */
export const hatchLast = (
  data: readonly (number | null)[],
  { surface }: Pick<Palette, 'surface'>,
): NonNullable<BarSeriesOption['data']> => {
  const decal = { color: surface, dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: -Math.PI / 4 }
  return data.map((value, at) =>
    at < data.length - 1 || value === null ? value : { value, itemStyle: { decal } },
  ) as NonNullable<BarSeriesOption['data']>
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const STEP = 7

/** Hatches a cell by lines from its lower left to its upper right. */
export function hatchBox({ x, y, width, height }: Box, stroke: string): Graphic[] {
  const count = Math.ceil((width + height) / STEP) - 1
  return Array.from({ length: count }, (_, at) => {
    // where the line would meet the upper edge
    const end = (at + 1) * STEP
    const shape = {
      x1: x + Math.max(0, end - height),
      y1: y + Math.min(height, end),
      x2: x + Math.min(width, end),
      y2: y + Math.max(0, end - width),
    }
    return { type: 'line', silent: true, shape, style: { stroke, lineWidth: 1.5, opacity: 0.35 } }
  })
}

/**
 * Veils the current interval of stacked areas: each point adds to the line below, so no line can be split in two. The veil
 * has the name of the last one, and follows it in the legend.
 */
export function veilEnd(line: LineSeriesOption, totals: readonly number[], { surface }: Palette) {
  const veil: LineSeriesOption = {
    type: 'line',
    name: line.name ?? '',
    data: totals.map((total, at) => (at >= totals.length - 2 ? total : null)),
    silent: true,
    symbol: 'none',
    lineStyle: { width: 0 },
    itemStyle: line.itemStyle ?? {},
    areaStyle: { color: surface, opacity: 0.55 },
    z: 3,
  }
  return [line, veil]
}

/** Dots the end of a line, because the incomplete current interval would look like a drop. */
export function withDottedEnd(
  line: LineSeriesOption,
  data: readonly (number | null)[],
): LineSeriesOption[] {
  const end = data.length - 1
  return [
    { ...line, data: data.map((value, at) => (at < end ? value : null)) },
    {
      ...line,
      data: data.map((value, at) => (at >= end - 1 ? value : null)),
      lineStyle: { ...line.lineStyle, type: 'dotted' },
    },
  ]
}
