import type { TrendSeries } from './query-results.ts'

/** The numbers of a box, and their names: a box plot has five series for each one of its query. */
export const PARTS = [
  ['min', 'minimum'],
  ['p25', '25th percentile'],
  ['median', 'median'],
  ['p75', '75th percentile'],
  ['max', 'maximum'],
] as const

export const toPartName = (name: string, part: string): string => `${name} · ${part}`

/** The distributions of the values of one property, by interval. */
export interface Boxes {
  readonly name: string
  readonly days: readonly string[]
  readonly isUnfinished: boolean
  /** Minimum, 25th percentile, median, 75th percentile and maximum; undefined for an interval without values. */
  readonly boxes: readonly (readonly number[] | undefined)[]
}

/** Reads the series of a result as boxes. Undefined if they are of another display. */
export function readBoxes(all: readonly TrendSeries[]): Boxes[] | undefined {
  const isPlot = all.every(({ action }, at) => action?.math === PARTS[at % PARTS.length]?.[0])
  if (!isPlot || all.length === 0 || all.length % PARTS.length > 0) return undefined
  return Array.from({ length: all.length / PARTS.length }, (_, index) => {
    const parts = all.slice(index * PARTS.length, (index + 1) * PARTS.length)
    const [first] = parts as [TrendSeries]
    const name = first.action?.custom_name ?? first.label
    return {
      name: name.endsWith(END) ? name.slice(0, -END.length) : name,
      days: first.days,
      isUnfinished: first.unfinished === true,
      boxes: first.days.map((_day, at) => {
        const box = parts.map(({ data }) => data[at] ?? 0)
        return box.some((value) => value !== 0) ? box : undefined
      }),
    }
  })
}

const END = toPartName('', PARTS[0][1])

/** The index of the series whose events are behind a box: all five have the same. */
export const toSeriesOfBox = (box: number): number => box * PARTS.length
