import { sql } from 'kysely'
import type { Range } from '../dates.ts'
import { toNumber } from '../plan.ts'
import { sourceOf } from './select-events.ts'
import { bucketIn, type Counted, type Part, type Trend, zerosOf } from './trend.ts'

/**
 * Series that count the same events of a period, without a breakdown. Series of different events have a statement
 * each: one for all would compare each event with each name, which took half as long again for three of them.
 */
export function toWholePart(
  trend: Trend,
  members: readonly [Counted, ...Counted[]],
  period: number,
  range: Range,
): Part {
  return {
    toSql(table) {
      const { rows, where } = sourceOf(table, trend, members[0], range)
      const numbers = members.map(
        ({ index, measure }) => sql`${measure.whole(table)} as ${sql.ref(`s${index}`)}`,
      )
      return sql`
        select ${bucketIn(table, trend, range)}::bigint as bucket, ${sql.join(numbers)}
        from ${rows} e where ${where}
        ${trend.isAggregated ? sql`` : sql`group by 1`}`
    },
    toLines: (rows) =>
      members.map(({ index }) => {
        const data = zerosOf(trend, range)
        for (const row of rows) data[row.bucket as number] = toNumber(row[`s${index}`])
        return { series: index, period, value: undefined, place: 1, data }
      }),
  }
}
