import { pluralize } from '#model/pluralize.ts'
import { invalid } from '#server/errors.ts'
import type { Breakdown } from './breakdown.ts'
import type { TimeRange } from './dates.ts'

/**
 * With its label and day, a value takes up to 65 characters, so this many fit into the longest result. Shaping and
 * writing them takes about 200 ms, in turns of the event loop.
 */
const MAX_VALUES = 125_000

/** A result with one value for each line and interval. */
interface Size {
  /** The lines in each period. */
  readonly lines: number
  readonly periods: readonly TimeRange[]
  /** Things that the query could have fewer of, besides intervals. */
  readonly fewer: readonly (string | false)[]
}

/** Refuses a query whose result would have too many values, before it runs. `attr` names the query. */
export function requireFewValues({ lines: ofPeriod, periods, fewer }: Size, attr: string): void {
  const lines = ofPeriod * periods.length
  const intervals = Math.max(...periods.map(({ buckets }) => buckets.length))
  if (lines * intervals <= MAX_VALUES) return
  const size = `${pluralize(lines, 'line')} x ${pluralize(intervals, periods[0]?.interval ?? 'interval')}`
  const changes = [
    'a longer interval',
    'a shorter date range',
    ...fewer.filter((each) => each !== false).map((each) => `fewer ${each}`),
  ]
  throw invalid(attr, tooMany(lines * intervals, size, MAX_VALUES, `Use ${either(changes)}.`))
}

/** Counts the values of a breakdown that a result can have, with the one for the rest. */
export const countBreakdownValues = (breakdown: Breakdown | undefined): number =>
  breakdown ? breakdown.limit + (breakdown.hidesOther ? 0 : 1) : 1

/** 10,000 rows of 30 columns. The driver of PostgreSQL parses up to 2 MB of rows in one turn of the event loop. */
const MAX_CELLS = 300_000

/** Refuses a table that would have too many cells, before it is read. */
export function requireFewCells(rows: number, columns: number, attr: string): void {
  if (rows * columns <= MAX_CELLS) return
  const size = `${pluralize(rows, 'row')} x ${pluralize(columns, 'column')}`
  const change = 'Select fewer columns, or set a lower LIMIT.'
  throw invalid(attr, tooMany(rows * columns, size, MAX_CELLS, change))
}

const tooMany = (values: number, size: string, max: number, change: string): string =>
  `This query would have ${pluralize(values, 'value')} (${size}). At most ${pluralize(max, 'value')} are allowed. ${change}`

const either = (choices: readonly string[]): string =>
  `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
