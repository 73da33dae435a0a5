import type { AlertRule } from './query-kind.ts'

interface RowReading {
  /** Reads the number of a row; anything else if it has none. */
  readonly readValue: (row: never) => unknown
  readonly toName: (row: never) => string
}

/** Watches a number of the row of a result that an alert chooses, in the order of the result. */
export const watchRow = ({ readValue, toName }: RowReading): AlertRule => ({
  hasEarlier: false,
  listSeries: (results) => results.map((row) => toName(row as never)),
  measure(results, { seriesIndex }) {
    const row = results[seriesIndex]
    if (row === undefined) return { problem: `The insight has no row ${seriesIndex}.` }
    const value = readValue(row as never)
    if (typeof value === 'number' && Number.isFinite(value)) return { value, earlier: [] }
    return { problem: `Row ${seriesIndex} of the insight has no number.` }
  },
})
