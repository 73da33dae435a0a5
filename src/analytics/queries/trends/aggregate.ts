import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
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
      const bucket = sql`${toBucket(table, trend, range)}::bigint as bucket`
      const source = sql`from ${rows} e where ${where}`
      if (countsByParts(table, members)) return writeParts(table, members, bucket, source)
      const numbers = members.map(
        ({ index, aggregation }) => sql`${aggregation.ofEvents(table)} as ${nameOf(index)}`,
      )
      return sql`select ${bucket}, ${sql.join(numbers)} ${source}
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

const nameOf = (index: number): Sql => sql.ref(`s${index}`)

/** Tells whether grouping by the one value that is counted distinctly is possible and faster than sorting by it. */
const countsByParts = (table: EventTable, members: readonly Series[]): boolean =>
  table.sortsForDistinct &&
  members.filter(({ aggregation }) => aggregation.distinct).length === 1 &&
  members.every(({ aggregation }) => aggregation.distinct || aggregation.merge)

/** Groups by interval and distinct value first, and then by interval. */
function writeParts(table: EventTable, members: readonly Series[], bucket: Sql, source: Sql): Sql {
  const parts = members.map(({ index, aggregation }) => {
    const value = aggregation.distinct?.(table) ?? aggregation.ofEvents(table)
    return sql`${value} as ${nameOf(index)}`
  })
  const distinct = members.findIndex(({ aggregation }) => aggregation.distinct)
  const merged = members.map(({ index, aggregation }) => {
    const number = aggregation.merge?.(nameOf(index)) ?? sql`count(${nameOf(index)})`
    return sql`${number}::double precision as ${nameOf(index)}`
  })
  return sql`select bucket, ${sql.join(merged)} from (
      select ${bucket}, ${sql.join(parts)} ${source} group by 1, ${sql.lit(distinct + 2)}
    ) parts group by bucket`
}
