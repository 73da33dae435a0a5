import type { AlertRule } from './query-kind.ts'

type ReadNumber = (row: never) => unknown

/** Watches a number of the row of a result that an alert chooses, in the order of the result. */
export const watchRow = (readValue: ReadNumber, readPrevious?: ReadNumber): AlertRule => ({
  ...(readPrevious && { earlier: 'period' }),
  isOfRows: true,
  measure(results, { seriesIndex }) {
    const row = (results[seriesIndex] ?? []) as never
    const [value, previous] = [readValue(row), readPrevious?.(row)]
    return typeof value === 'number'
      ? { value, earlier: typeof previous === 'number' ? [previous] : [] }
      : { problem: 'The row has no number.' }
  },
})
