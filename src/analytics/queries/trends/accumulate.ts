import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { mapInTurns } from '#server/turns.ts'
import type { TimeRange } from '../dates.ts'
import { NAME_PLACES, toCells, toLines, toTopValues } from './break-down.ts'
import { toScannedRanges } from './rolling-window.ts'
import { cumulate, type Series, type Statement, type Trend } from './trend.ts'

/** Aggregates the events from the start of a range to the end of each interval, for numbers that do not add up. */
export function accumulate(trend: Trend, series: Series): Statement {
  const ranges = toScannedRanges(trend, series)
  const { distinct, ofCells } = series.aggregation
  return {
    toSql: (table) => sql`
      with cells as materialized (${toCells(table, trend, series, ranges)}),
      ${toTop(table, trend, series)}
      ${distinct ? countFirsts : aggregateUntil(ranges, ofCells)}
      ${NAME_PLACES}`,
    toLines: async (rows) =>
      mapInTurns(await toLines(rows, trend, series, ranges), (line) => ({
        ...line,
        value: trend.breakdown && line.value,
        data: distinct ? cumulate(line.data) : line.data,
      })),
  }
}

/** Without a breakdown, the cells have one value. */
const toTop = (table: EventTable, trend: Trend, series: Series): Sql =>
  trend.breakdown
    ? toTopValues(table, trend, series, trend.breakdown)
    : sql`top as (select '' as value, 1 as place)`

/** Counts each person, session or group in the interval of its first event. */
const countFirsts = sql`
  select period, bucket, place, count(id)::double precision as number, null::text as value
  from (
    select period, min(bucket) as bucket, place, id
    from cells left join top on top.value = cells.value
    group by period, place, id
  ) firsts
  group by 1, 2, 3`

const aggregateUntil = (ranges: readonly TimeRange[], ofCells: Sql): Sql => sql`
  select cells.period, points.bucket, place, ${ofCells} as number, null::text as value
  from cells left join top on top.value = cells.value
  join (${listPoints(ranges)}) points on points.period = cells.period and points.bucket >= cells.bucket
  group by 1, 2, 3`

const listPoints = (ranges: readonly TimeRange[]): Sql =>
  sql.join(
    ranges.map(
      ({ buckets }, period) => sql`select ${sql.lit(period)} as period, bucket
        from generate_series(0, ${sql.lit(buckets.length - 1)}) points (bucket)`,
    ),
    sql` union all `,
  )
