import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import type { Workload } from '#server/analytics/strategy.ts'
import { mapInTurns } from '#server/turns.ts'
import { type BucketSpan, listSpans } from '../bucket-index.ts'
import type { TimeRange } from '../dates.ts'
import { toNumber } from '../plan.ts'
import { mathOf } from './aggregation.ts'
import { type EventSelection, isFiltered, selectSeriesEvents } from './select-events.ts'
import { type Series, type Statement, type Trend, toBucket, toZeros } from './trend.ts'

/** Series that count the same events. */
type Members = readonly [Series, ...Series[]]

/**
 * Aggregates series that count the same events of a period, without a breakdown. Series of different events have a
 * statement each: one for all would compare each event with each name, which took 50% longer for three of them.
 */
export function aggregate(
  trend: Trend,
  members: Members,
  period: number,
  range: TimeRange,
): Statement {
  return {
    toSql(table) {
      const events = selectSeriesEvents(table, trend, members[0], range)
      if (trend.isAggregated) {
        const { rows, where } = events
        return sql`select 0::bigint as bucket, ${toNumbers(table, members)} from ${rows} e where ${where}`
      }
      const spans = listSpans(range) ?? []
      const method = table.strategy.aggregate(describe(trend, members, spans))
      if (method === 'unite') return uniteIntervals(table, members, events, spans)
      if (method === 'perInterval') return eachInterval(table, members, events, spans)
      const located = locate(table, events, toBucket(table, trend, range))
      return method === 'byParts'
        ? byParts(table, members, located)
        : sql`select bucket, ${toNumbers(table, members)} from ${located} group by bucket`
    },
    toLines: (rows) =>
      mapInTurns(members, ({ index }) => {
        const data = toZeros(trend, range)
        for (const row of rows) data[row.bucket as number] = toNumber(row[`s${index}`])
        return { series: index, period, value: undefined, place: 1, data }
      }),
  }
}

const seriesColumn = (index: number): Sql => sql.ref(`s${index}`)

const toNumbers = (table: EventTable, members: Members): Sql =>
  sql.join(
    members.map(
      ({ index, aggregation }) => sql`${aggregation.ofEvents(table)} as ${seriesColumn(index)}`,
    ),
  )

/** Selects events with their bucket. */
const locate = (table: EventTable, { rows, where }: EventSelection, bucket: Sql): Sql =>
  sql`(select e.*, ${bucket}::bigint as bucket from ${rows} e where ${where} ${table.strategy.fence}) e`

const describe = (trend: Trend, members: Members, spans: readonly BucketSpan[]): Workload => ({
  distinct: members.filter(({ aggregation }) => aggregation.distinct).length,
  canMerge: members.every(({ aggregation }) => aggregation.distinct || aggregation.merge),
  intervals:
    spans.length === 0
      ? undefined
      : {
          count: spans.length,
          isNamed: Boolean(members[0].node.event),
          hasFilters: isFiltered(trend, members[0]) || members[0].node.rules !== undefined,
          areTotals: members.every(({ node }) => mathOf(node) === 'total'),
        },
})

/**
 * Counts each interval in a subquery, without computing the interval of each event. Several processes share the
 * subqueries.
 */
const uniteIntervals = (
  table: EventTable,
  members: Members,
  { rows, where }: EventSelection,
  intervals: readonly BucketSpan[],
): Sql =>
  sql.join(
    intervals.map(
      ({ index, from, to }) =>
        sql`select ${sql.lit(index)}::bigint as bucket, ${toNumbers(table, members)} from ${rows} e
          where ${where} and e.timestamp >= ${toTime(from)} and e.timestamp < ${toTime(to)}`,
    ),
    sql` union all `,
  )

const toTime = (milliseconds: number): Sql =>
  sql`${sql.lit(new Date(milliseconds).toISOString())}::timestamptz`

/** Sorts the persons of one interval at a time: PostgreSQL takes three times as long to sort or hash all of them. */
function eachInterval(
  table: EventTable,
  members: Members,
  { rows, where }: EventSelection,
  intervals: readonly BucketSpan[],
): Sql {
  const values = intervals.map(
    ({ index, from, to }) => sql`(${sql.lit(index)}, ${toTime(from)}, ${toTime(to)})`,
  )
  return sql`select i.bucket::bigint as bucket, numbers.*
    from (values ${sql.join(values)}) i (bucket, since, until) cross join lateral (
      select ${toNumbers(table, members)} from ${rows} e
      where ${where} and e.timestamp >= i.since and e.timestamp < i.until
    ) numbers`
}

/** Groups by interval and distinct value first, and then by interval. */
function byParts(table: EventTable, members: Members, located: Sql): Sql {
  const parts = members.map(({ index, aggregation }) => {
    const value = aggregation.distinct?.(table) ?? aggregation.ofEvents(table)
    return sql`${value} as ${seriesColumn(index)}`
  })
  const distinct = members.findIndex(({ aggregation }) => aggregation.distinct)
  const merged = members.map(({ index, aggregation }) => {
    const number = aggregation.merge?.(seriesColumn(index)) ?? sql`count(${seriesColumn(index)})`
    return sql`${number}::double precision as ${seriesColumn(index)}`
  })
  return sql`select bucket, ${sql.join(merged)} from (
      select bucket, ${sql.join(parts)} from ${located} group by 1, ${sql.lit(distinct + 2)}
    ) parts group by bucket`
}
