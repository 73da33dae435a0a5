import { displayOf, TREND_DISPLAYS } from '#model/displays.ts'
import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import type { ValidQuery } from './run-query.ts'

/** The numbers that statements over the same events count together. */
const SHARED_MATHS: readonly unknown[] = ['total', 'dau', 'weekly_active', 'monthly_active']

/**
 * Names the events, dates and filters that a query reads. `runTogether` computes queries with the same key faster than
 * one after the other. Undefined if a query gains nothing.
 */
export const toShareKey = (query: ValidQuery): string | undefined =>
  query.kind === 'TrendsQuery' ? toTrendKey(query as TrendsQuery) : undefined

/** A display changes how events are read only if it shows running totals. */
function toTrendKey({ series, trendsFilter, ...reading }: TrendsQuery): string | undefined {
  const { cumulative } = displayOf(TREND_DISPLAYS, {
    ...reading,
    series,
    trendsFilter,
  })
  if (cumulative || reading.breakdownFilter) return undefined
  if (!series.every(({ math }) => SHARED_MATHS.includes(math ?? 'total'))) return undefined
  const events = series.map(({ event, rules, properties }) =>
    JSON.stringify([event, rules ?? [], properties ?? []]),
  )
  const fields = Object.entries(reading).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify([[...new Set(events)].toSorted(), fields])
}
