import { sql } from 'kysely'
import type { TimeRange } from '../dates.ts'
import { toNumber } from '../plan.ts'
import { selectSeriesEvents } from './select-events.ts'
import { type Series, type Statement, type Trend, toBucket, toZeros } from './trend.ts'

/**
 * Aggregates series that count the same events of a period, without a breakdown. Series of different events have a
 * statement each: one for all would compare each event with each name, which took 50% longer for three of them.
 */
export function aggregate(
  trend: Trend,
  members: readonly [Series, ...Series[]],
  period: number,
  range: TimeRange,
): Statement {
  return {
    toSql(table) {
      const { rows, where } = selectSeriesEvents(table, trend, members[0], range)
      const numbers = members.map(
        ({ index, aggregation }) => sql`${aggregation.ofEvents(table)} as ${sql.ref(`s${index}`)}`,
      )
      return sql`
        select ${toBucket(table, trend, range)}::bigint as bucket, ${sql.join(numbers)}
        from ${rows} e where ${where}
        ${trend.isAggregated ? sql`` : sql`group by 1`}`
    },
    toLines: (rows) =>
      members.map(({ index }) => {
        const data = toZeros(trend, range)
        for (const row of rows) data[row.bucket as number] = toNumber(row[`s${index}`])
        return { series: index, period, value: undefined, place: 1, data }
      }),
  }
}
