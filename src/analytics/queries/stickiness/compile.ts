import { pluralize } from '#model/pluralize.ts'
import type { StickinessQuery } from '#model/query-kinds/stickiness.schema.ts'
import type { StickinessSeries } from '#model/query-results.ts'
import type { EventTable, StatementRow } from '#server/analytics/event-table.ts'
import { mapInTurns } from '#server/turns.ts'
import { type ColumnRef, toRequired } from '../columns.ts'
import { countedColumns } from '../counted.ts'
import type { TimeRange } from '../dates.ts'
import { nodeColumns } from '../filters.ts'
import { toAction, toSeriesTitle } from '../labels.ts'
import { resolvePeriods, spanOf } from '../periods.ts'
import { type Context, commonColumns, type Plan, toNumber } from '../plan.ts'
import { requireFewValues } from '../size.ts'
import { countPersonsByActivity, groupAlike } from './count-persons.ts'

/** Counts persons by the number of intervals they were active in: resolve dates, count persons, shape series. */
export function compileStickinessQuery(
  query: StickinessQuery,
  context: Context,
): Plan<readonly StickinessSeries[]> {
  const periods = resolvePeriods(query, context)
  requireFewValues({ lines: query.series.length, periods, fewer: ['series'] }, context.attr)
  const alike = groupAlike(query)
  return {
    ...toRequired(listColumns(query, context), spanOf(periods)),
    statements: periods.flatMap((range) =>
      alike.map(
        (each) => (table: EventTable) =>
          countPersonsByActivity(table, { query, range, context }, each),
      ),
    ),
    toResult: async (tables) => {
      const shaped: StickinessSeries[] = []
      for (const [index, range] of periods.entries()) {
        const rows = tables.slice(index * alike.length, (index + 1) * alike.length).flat()
        const compared = periods.length > 1 && {
          compare: true,
          compare_label: index === 0 ? ('current' as const) : ('previous' as const),
        }
        const series = await shapeSeries(query, rows, range)
        shaped.push(...series.map((each) => ({ ...each, ...compared })))
      }
      return shaped
    },
  }
}

export const listColumns = (query: StickinessQuery, context: Context): ColumnRef[] => [
  ...query.series.flatMap(nodeColumns),
  ...commonColumns(query, context),
  ...groupAlike(query).flatMap(({ type }) => countedColumns(type)),
]

export const isCumulative = ({ stickinessFilter }: StickinessQuery): boolean =>
  stickinessFilter?.computedAs === 'cumulative'

function shapeSeries(
  query: StickinessQuery,
  rows: readonly StatementRow[],
  { buckets, interval }: TimeRange,
): Promise<StickinessSeries[]> {
  const persons = new Map(rows.map((row) => [`${row.series} ${row.times}`, row.persons]))
  const days = buckets.map((_, index) => index + 1)
  const labels = days.map((times) => pluralize(times, interval))
  return mapInTurns(query.series, (node, order) => {
    const exactly = days.map((times) => toNumber(persons.get(`${order} ${times}`)))
    return {
      label: toSeriesTitle(node),
      count: exactly.reduce((sum, count) => sum + count, 0),
      data: isCumulative(query) ? toAtLeast(exactly) : exactly,
      labels,
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
