import type { AlertRule } from './query-kind.ts'

/** Watches a number of the row of a result that an alert chooses, in the order of the result. */
export const watchRow = (readValue: (row: never) => unknown): AlertRule => ({
  hasEarlier: false,
  isOfRows: true,
  measure(results, { seriesIndex }) {
    const value = readValue((results[seriesIndex] ?? []) as never)
    return typeof value === 'number'
      ? { value, earlier: [] }
      : { problem: 'The row has no number.' }
  },
})
