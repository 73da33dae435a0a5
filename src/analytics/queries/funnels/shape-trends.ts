import { sql } from 'kysely'
import type { FunnelTrend } from '#model/query-results.ts'
import type { EventTable, Sql, StatementRow } from '#server/analytics/event-table.ts'
import { PLAIN } from '#server/analytics/strategy.ts'
import { mapInTurns } from '#server/turns.ts'
import { type Breakdown, toValueFields } from '../breakdown.ts'
import { toBucketIndex } from '../bucket-index.ts'
import { endsInCurrentInterval, type TimeRange } from '../dates.ts'
import { type Axis, toAxis } from '../labels.ts'
import { toNumber } from '../plan.ts'
import type { Funnel } from './funnel.ts'
import { type StepRange, time } from './step-columns.ts'

/** Selects attempts with the `bucket` in which they began. */
export function selectBegun(table: EventTable, range: TimeRange): Sql {
  // comparing would compute the time again for each comparison
  const began = { ...table, milliseconds: sql`e.t1`, strategy: PLAIN }
  return sql`(
      select e.*, ${toBucketIndex(began, range)} as bucket
      from (select *, to_timestamp(t1::double precision / 1000) as timestamp from placed) e
    ) begun`
}

/** Counts each person in the interval in which the furthest attempt began. With a breakdown, adds a row with the value of each place. */
export function selectTrends(
  table: EventTable,
  range: TimeRange,
  { from, to }: StepRange,
  hasBreakdown: boolean,
): Sql {
  const counts = sql`
    select place, bucket, count(${time(from)}) as entered, count(${time(to)}) as converted,
      null::text as value
    from ${selectBegun(table, range)} group by place, bucket`
  if (!hasBreakdown) return sql`${counts} order by place, bucket`
  return sql`${counts} union all
    select place, null, null, null, min(called) from placed group by place
    order by place, bucket`
}

/** Returns one line, or one per value, with the conversion in percent. */
export async function toTrends(
  { range, breakdown, context }: Pick<Funnel, 'range' | 'breakdown' | 'context'>,
  rows: readonly StatementRow[],
): Promise<readonly FunnelTrend[]> {
  const isUnfinished = endsInCurrentInterval(range, context)
  const axis = {
    ...(await toAxis(range.buckets, range.interval)),
    ...(isUnfinished && { unfinished: true as const }),
  }
  const places = Map.groupBy(rows, ({ place }) => place)
  if (!breakdown && places.size === 0) places.set(1, [])
  return mapInTurns([...places.values()], (ofPlace) => toTrend(range, axis, breakdown, ofPlace))
}

function toTrend(
  { buckets }: TimeRange,
  axis: Axis,
  breakdown: Breakdown | undefined,
  rows: readonly StatementRow[],
): FunnelTrend {
  const counts = rows.filter(({ bucket }) => bucket !== null)
  const named = rows.find(({ bucket }) => bucket === null)
  const byBucket = new Map(counts.map((row) => [Number(row.bucket), row]))
  const data = buckets.map((_, index) => {
    const { entered = 0, converted = 0 } = byBucket.get(index) ?? {}
    return entered ? toNumber((100 * Number(converted)) / Number(entered)) : 0
  })
  return {
    count: counts.reduce((sum, { entered }) => sum + Number(entered), 0),
    data,
    ...axis,
    ...(breakdown && toValueFields(breakdown, String(named?.value))),
  }
}
