import { sql } from 'kysely'
import type { EventTable, Sql, StatementRow } from '#server/analytics/event-table.ts'
import { mapInTurns } from '#server/turns.ts'
import { NAME_PLACES, readPlaces, toCells, toPlaced, toTopValues } from './break-down.ts'
import { type RollingWindow, toRollingWindow, toScannedRanges } from './rolling-window.ts'
import type { Series, Statement, Trend, TrendLine } from './trend.ts'

/**
 * Counts persons who were active in the days that end with each interval, including days before the range. A day of
 * activity counts until it is too long ago or the person returns, so it adds 1 at one point and subtracts 1 at another.
 * Counting everyone again for each interval would multiply the time by the number of days.
 */
export function countActivePersons(trend: Trend, series: Series, days: number): Statement {
  const spans = trend.periods.map((range) => toRollingWindow(range, days, trend.context))
  const ranges = toScannedRanges(trend, series)
  const length = sql.lit(spans[0]?.length)
  return {
    toSql: (table) => sql`
      with cells as materialized (${toCells(table, trend, series, ranges)}),
      ${toPlacedCells(table, trend, series)},
      spans as (
        select period, place, bucket, least(bucket + ${length},
          lead(bucket, 1, bucket + ${length}) over (partition by period, place, id order by bucket)) as until
        from placed
      )
      select period, point, place, sum(step)::double precision as change, null::text as value
      from (
        select period, place, step, ${clampPoint(spans)} as point
        from spans cross join (values (1), (-1)) steps (step)
      ) changes
      where ${isShown(spans)}
      group by 1, 2, 3
      ${NAME_PLACES}`,
    toLines: (rows) => toLines(rows, trend, series, spans),
  }
}

/** Persons with several of the remaining values add and subtract 1 repeatedly, which cancels out. */
function toPlacedCells(table: EventTable, trend: Trend, series: Series): Sql {
  if (!trend.breakdown) {
    return sql`top as (select '' as value, 1 as place),
      placed as (select period, 1 as place, bucket, id from cells)`
  }
  return sql`${toTopValues(table, trend, series, trend.breakdown)},
    placed as (
      select period, place, bucket, id
      from cells left join top on top.value = cells.value
    )`
}

/** Changes before the end of the first interval all count at that end, so that there are few rows. */
const clampPoint = (spans: readonly RollingWindow[]): Sql =>
  sql`greatest(case when step > 0 then bucket else until end, ${byPeriod(spans, ({ ends }) => ends[0])})::bigint`

/** Changes after the last interval do not count. */
const isShown = (spans: readonly RollingWindow[]): Sql =>
  sql`point <= ${byPeriod(spans, ({ ends }) => ends.at(-1))}`

const byPeriod = (
  spans: readonly RollingWindow[],
  pointOf: (window: RollingWindow) => number | undefined,
): Sql => {
  const [first = 0, second] = spans.map((window) => pointOf(window) ?? 0)
  return second === undefined
    ? sql`${sql.lit(first)}`
    : sql`case period when 0 then ${sql.lit(first)} else ${sql.lit(second)} end`
}

async function toLines(
  rows: readonly StatementRow[],
  trend: Trend,
  { index }: Series,
  spans: readonly RollingWindow[],
): Promise<TrendLine[]> {
  const values = readPlaces(rows)
  const changes = rows.filter(({ period }) => period !== null)
  const ofLines = Map.groupBy(changes, ({ period, place }) => `${period} ${place}`)
  return mapInTurns([...ofLines.values()], (ofLine) => {
    const { period, place } = ofLine[0] as StatementRow
    const placed = toPlaced(place, values)
    return {
      series: index,
      period: period as number,
      ...placed,
      value: trend.breakdown && placed.value,
      data: levelsAt((spans[period as number] as RollingWindow).ends, ofLine),
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
