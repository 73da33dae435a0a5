import { sql } from 'kysely'
import type { EventTable, Sql, StatementRow } from '#server/analytics/event-table.ts'
import { OTHER } from '../breakdown.ts'
import { toCells, toTopValues } from './break-down.ts'
import { type RollingWindow, toRollingWindow, toScannedRanges } from './rolling-window.ts'
import type { Series, Statement, Trend, TrendLine } from './trend.ts'

/**
 * Counts people who were active in the days that end with each interval, including days before the range. A day of
 * activity counts until it is too long ago or the person returns, so it adds 1 at one point and subtracts 1 at another.
 * Counting everyone again for each interval would multiply the time by the number of days.
 */
export function countActivePeople(trend: Trend, series: Series, days: number): Statement {
  const spans = trend.periods.map((range) => toRollingWindow(range, days, trend.context))
  const ranges = toScannedRanges(trend, series)
  const length = sql.lit(spans[0]?.length)
  return {
    toSql: (table) => sql`
      with cells as materialized (${toCells(table, trend, series, trend.breakdown, ranges)}),
      ${toPlacedCells(table, trend, series)},
      spans as (
        select period, place, value, bucket, least(bucket + ${length},
          lead(bucket, 1, bucket + ${length}) over (partition by period, place, id order by bucket)) as until
        from placed
      )
      select period, place, min(value) as value,
        (case when step > 0 then bucket else until end)::bigint as point, sum(step)::double precision as change
      from spans cross join (values (1), (-1)) steps (step)
      group by 1, 2, 4`,
    toLines: (rows) => toLines(rows, trend, series, spans),
  }
}

/** People with several of the remaining values add and subtract 1 repeatedly, which cancels out. */
function toPlacedCells(table: EventTable, trend: Trend, series: Series): Sql {
  if (!trend.breakdown) {
    return sql`placed as (select period, 1 as place, null::text as value, bucket, id from cells)`
  }
  return sql`${toTopValues(table, trend, series, trend.breakdown)},
    placed as (
      select period, place, top.value, bucket, id
      from cells left join top on top.value = cells.value
    )`
}

function toLines(
  rows: readonly StatementRow[],
  trend: Trend,
  { index }: Series,
  spans: readonly RollingWindow[],
): TrendLine[] {
  const ofLines = Map.groupBy(rows, ({ period, place }) => `${period} ${place}`)
  return [...ofLines.values()].map((changes) => {
    const { period, place, value } = changes[0] as StatementRow
    return {
      series: index,
      period: period as number,
      value: trend.breakdown ? ((value ?? OTHER) as string) : undefined,
      place: (place ?? Number.POSITIVE_INFINITY) as number,
      data: levelsAt((spans[period as number] as RollingWindow).ends, changes),
    }
  })
}

function levelsAt(ends: readonly number[], changes: readonly StatementRow[]): number[] {
  const inOrder = changes.toSorted((one, other) => Number(one.point) - Number(other.point))
  let level = 0
  let next = 0
  return ends.map((end) => {
    for (; Number(inOrder[next]?.point) <= end; next++) level += Number(inOrder[next]?.change)
    return level
  })
}
