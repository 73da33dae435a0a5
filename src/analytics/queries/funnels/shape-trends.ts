import { sql } from 'kysely'
import type { FunnelTrend } from '#model/query-results.ts'
import type { EventTable, Sql, StatementRow } from '#server/analytics/event-table.ts'
import { type Breakdown, toValueFields } from '../breakdown.ts'
import { toBucketIndex } from '../bucket-index.ts'
import type { TimeRange } from '../dates.ts'
import { toBucketLabel, toDay } from '../labels.ts'
import { toNumber } from '../plan.ts'
import { type StepRange, time } from './step-columns.ts'

/** Selects attempts with the `bucket` in which they began. */
export function selectBegun(table: EventTable, range: TimeRange): Sql {
  // comparing would compute the time again for each comparison
  const began = { ...table, milliseconds: sql`e.t1`, comparesTimes: false }
  return sql`(
      select e.*, ${toBucketIndex(began, range)} as bucket
      from (select *, to_timestamp(t1::double precision / 1000) as timestamp from placed) e
    ) begun`
}

/** Counts each person in the interval in which the furthest attempt began. */
export function selectTrends(
  table: EventTable,
  range: TimeRange,
  { from, to }: StepRange,
  hasBreakdown: boolean,
): Sql {
  const value = hasBreakdown ? sql`min(called) as value,` : sql``
  return sql`
    select place, bucket, ${value} count(${time(from)}) as entered, count(${time(to)}) as converted
    from ${selectBegun(table, range)}
    group by place, bucket order by place, bucket`
}

/** Returns one line, or one per value, with the conversion in percent. */
export function toTrends(
  range: TimeRange,
  breakdown: Breakdown | undefined,
  rows: readonly StatementRow[],
): readonly FunnelTrend[] {
  const places = new Map<unknown, StatementRow[]>(breakdown ? [] : [[1, []]])
  for (const row of rows) places.set(row.place, [...(places.get(row.place) ?? []), row])
  return [...places.values()].map((ofPlace) => toTrend(range, breakdown, ofPlace))
}

function toTrend(
  range: TimeRange,
  breakdown: Breakdown | undefined,
  rows: readonly StatementRow[],
): FunnelTrend {
  const byBucket = new Map(rows.map((row) => [Number(row.bucket), row]))
  const data = range.buckets.map((_, index) => {
    const { entered = 0, converted = 0 } = byBucket.get(index) ?? {}
    return entered ? toNumber((100 * Number(converted)) / Number(entered)) : 0
  })
  return {
    count: rows.reduce((sum, { entered }) => sum + Number(entered), 0),
    data,
    days: range.buckets.map((bucket) => toDay(bucket, range.interval)),
    labels: range.buckets.map((bucket) => toBucketLabel(bucket, range.interval)),
    ...(breakdown && toValueFields(breakdown, String(rows[0]?.value))),
  }
}
