import { pluralize } from '#model/pluralize.ts'
import type { StickinessQuery } from '#model/query-kinds/stickiness.schema.ts'
import type { StickinessSeries } from '#model/query-results.ts'
import type { EventTable, StatementRow } from '#server/analytics/event-table.ts'
import { type ColumnRef, toAsked } from '../columns.ts'
import { countedColumns } from '../counted.ts'
import type { TimeRange } from '../dates.ts'
import { columnsIn } from '../filters.ts'
import { toAction, toSeriesTitle } from '../labels.ts'
import { resolvePeriods } from '../periods.ts'
import { type Context, commonColumns, type Plan, toNumber } from '../plan.ts'
import { countPeopleByActivity, groupAlike } from './count-people.ts'

/** Counts people by the number of intervals they were active in: resolve dates, count people, shape series. */
export function compileStickinessQuery(
  query: StickinessQuery,
  context: Context,
): Plan<readonly StickinessSeries[]> {
  const periods = resolvePeriods(query, context)
  const alike = groupAlike(query)
  return {
    ...toAsked(listColumns(query, context)),
    statements: periods.flatMap((range) =>
      alike.map(
        (each) => (table: EventTable) => countPeopleByActivity(table, query, each, range, context),
      ),
    ),
    toResult: (tables) =>
      periods.flatMap((range, index) => {
        const rows = tables.slice(index * alike.length, (index + 1) * alike.length).flat()
        const series = shapeSeries(query, rows, range)
        if (periods.length === 1) return series
        const compare_label = index === 0 ? 'current' : 'previous'
        return series.map((each) => ({ ...each, compare: true, compare_label }))
      }),
  }
}

export const listColumns = (query: StickinessQuery, context: Context): ColumnRef[] => [
  ...query.series.flatMap((node) => columnsIn(node.properties)),
  ...commonColumns(query, context),
  ...groupAlike(query).flatMap(({ type }) => countedColumns(type)),
]

export const isCumulative = ({ stickinessFilter }: StickinessQuery): boolean =>
  stickinessFilter?.computedAs === 'cumulative'

function shapeSeries(
  query: StickinessQuery,
  rows: readonly StatementRow[],
  { buckets, interval }: TimeRange,
): StickinessSeries[] {
  const people = new Map(rows.map((row) => [`${row.series} ${row.times}`, row.people]))
  const days = buckets.map((_, index) => index + 1)
  return query.series.map((node, order) => {
    const exactly = days.map((times) => toNumber(people.get(`${order} ${times}`)))
    return {
      label: toSeriesTitle(node),
      count: exactly.reduce((sum, count) => sum + count, 0),
      data: isCumulative(query) ? toAtLeast(exactly) : exactly,
      labels: days.map((times) => pluralize(times, interval)),
      days,
      action: toAction(node, order),
    }
  })
}

function toAtLeast(exactly: readonly number[]): number[] {
  let sum = 0
  return exactly
    .toReversed()
    .map((count) => (sum += count))
    .reverse()
}
