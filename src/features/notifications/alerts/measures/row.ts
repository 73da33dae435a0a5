import type { PathLink } from '#model/query-results.ts'
import type { WebFigure } from '#model/web-figures.ts'
import type { Measure } from './measure.ts'

type Numbers = readonly [value?: unknown, previous?: unknown]

/** Takes the numbers of the row that an alert chooses, in the order of the result. */
const measureRow =
  (read: (row: never) => Numbers): Measure =>
  (results, { seriesIndex }) => {
    const [value, previous] = read((results[seriesIndex] ?? []) as never)
    return typeof value === 'number'
      ? { value, earlier: typeof previous === 'number' ? [previous] : [] }
      : { problem: 'The row has no number.' }
  }

/** Reads numbers of the current and the previous period, which stand behind the name of the row. */
const measurePair = (at: number): Measure =>
  measureRow((row: readonly unknown[]) => (row.at(at) ?? []) as Numbers)

export const measureLink = measureRow(({ value }: PathLink) => [value])
export const measureFigure = measureRow(({ value, previous }: WebFigure) => [value, previous])
export const measureVisitors = measurePair(1)
export const measureShare = measurePair(-1)
