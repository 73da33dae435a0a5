import { toCsvRow } from '../model/csv.ts'
import { toRows } from '../model/query-kinds/index.ts'

/** Writes RFC 4180: a header, then one row for each period, step, cohort, link or row of the result. */
export const toCsv = (query: object, result: unknown): string =>
  toRows(query, result).map(toCsvRow).join('')
