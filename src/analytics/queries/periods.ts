import type { CommonFields, Interval } from '#model/query-kinds/common.schema.ts'
import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import type { TimeSpan } from '../event-table.ts'
import { requireFewIntervals, type TimeRange, toEarlier, toPrevious, toRange } from './dates.ts'
import type { Context } from './plan.ts'

interface DatedQuery extends CommonFields {
  readonly interval?: Interval | null | undefined
  readonly compareFilter?: TrendsQuery['compareFilter']
}

/** Resolves the date range of a query. */
export const resolveRange = ({ dateRange, interval }: DatedQuery, context: Context): TimeRange =>
  toRange(dateRange, interval ?? 'day', context, `${context.attr}__dateRange`)

/** Returns the time from the start of the first range to the end of the last. */
export const spanOf = (ranges: readonly TimeRange[]): TimeSpan => ({
  from: Math.min(...ranges.map(({ from }) => from)),
  to: Math.max(...ranges.map(({ to }) => to)),
})

/** Resolves the current period, and the one it is compared with. */
export function resolvePeriods(query: DatedQuery, context: Context): TimeRange[] {
  const current = resolveRange(query, context)
  if (!query.compareFilter?.compare) return [current]
  requireFewIntervals(2 * current.buckets.length, `${context.attr}__dateRange`)
  const { compare_to: by } = query.compareFilter
  const attr = `${context.attr}__compareFilter__compare_to`
  return [current, by ? toEarlier(current, by, context, attr) : toPrevious(current, context)]
}
